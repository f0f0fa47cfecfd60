"""One file for each command of `COMMANDS`, and one for a subcommand that is large. No command imports another."""

"""What `portico doctor` checks: `examination` has all of it, in its order."""

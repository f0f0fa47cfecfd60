"""Notices to the owners of accounts: of changed credentials (LG-24), and of any event of a command."""

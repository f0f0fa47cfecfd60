"""Users: created, read, listed."""

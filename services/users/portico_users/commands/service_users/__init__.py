"""Service users and their credentials."""

"""Public keys of applications and service users: registered, created, limited."""

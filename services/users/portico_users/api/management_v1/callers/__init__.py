"""The caller's own organizations and permissions."""

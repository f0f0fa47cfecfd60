"""Organizations and their domains."""

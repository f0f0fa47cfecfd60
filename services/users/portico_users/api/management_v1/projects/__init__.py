"""Projects and their roles."""

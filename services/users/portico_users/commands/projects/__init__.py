"""Projects, their roles, and their grants to other organizations."""

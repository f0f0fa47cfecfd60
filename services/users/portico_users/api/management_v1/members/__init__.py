"""Members: who has which roles in the instance, an organization or a project."""

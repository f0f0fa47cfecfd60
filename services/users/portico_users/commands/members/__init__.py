"""Members: users with roles in the instance, an organization, a project or a project grant."""

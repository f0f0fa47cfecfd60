"""Organizations and everything they own: projects, applications, providers, users, grants, members, policies."""

"""Project grants: the roles of a project that another organization may give its users."""

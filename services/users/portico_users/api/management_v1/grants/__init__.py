"""User grants: which roles of which projects a user was given."""

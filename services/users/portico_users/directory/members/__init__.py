"""Memberships: which roles a user has in the instance or in an organization."""

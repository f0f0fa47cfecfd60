"""Roles that users, service users and groups have in projects, and what happens to them when their source goes."""

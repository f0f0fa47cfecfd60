"""Roles that users, service users and groups have in projects, and what happens to them when their source goes.

Does not own the roles of a project, or its grants to other organizations: see `projects`.
"""

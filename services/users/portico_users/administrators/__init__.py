"""Administrators: roles that permit calls of the management API, on the instance, an organization, a project or its grant.

Owns memberships and the table of roles and permissions. Does not decide on calls: see `management_api`.
"""

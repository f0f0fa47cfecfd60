"""Projects, their roles, and their grants to other organizations.

Does not own the roles of users: see `grants`.
"""

"""Accounts: what humans and service users have in common as users: names, states, roles and claims."""

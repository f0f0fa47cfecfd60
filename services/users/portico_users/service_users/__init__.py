"""Service users: programs with keys, a secret or personal access tokens.

Owns their record and credentials. Does not own what they share with people: see `accounts`.
"""

"""Versioned caches of users' data in other services (decision 0039).

`versions` is written by users around a commit, `keys` names the Redis keys, `lease` and `remembered` are used
by authz and token.
"""

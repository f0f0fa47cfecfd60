"""Versioned caches of users' data in other services (decision 0039): users writes `versions` around a commit.

Records of the services themselves are in their stores.
"""

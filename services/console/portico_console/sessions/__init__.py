"""The sessions of the two applications: sealed in Redis, named by a cookie."""

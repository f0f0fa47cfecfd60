"""Redis: the client of a store, connections to its nodes, limits of records, and whether it went back in time.

What a record has is with the service that owns it; the cache of users is in `versioned_cache`.
"""

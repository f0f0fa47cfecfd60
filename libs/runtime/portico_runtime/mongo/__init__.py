"""MongoDB: the client of a store, and what is stored with every record: its schema, and the key that seals it.

What a record has is with the service that owns it.
"""

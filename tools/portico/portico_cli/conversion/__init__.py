"""``portico user convert``: each source is a module that yields `Person` objects, listed in `sources`."""

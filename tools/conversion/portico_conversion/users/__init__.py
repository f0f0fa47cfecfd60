"""``portico user convert``: each source is a module that yields `ConvertedUser` objects, listed in `sources`."""

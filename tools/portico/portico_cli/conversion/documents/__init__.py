"""``portico convert``: each source is a module that fills `Draft` objects, one per organization, listed in `sources`."""

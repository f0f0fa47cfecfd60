"""``portico convert``: each source is a folder that fills `Draft` objects, one per organization, listed in `sources`."""

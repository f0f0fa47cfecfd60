"""``portico convert --events``: each source is a module that yields `OldRequest` objects, listed in `sources`."""

"""Shows what is lost with a removed object, for ``portico apply``."""

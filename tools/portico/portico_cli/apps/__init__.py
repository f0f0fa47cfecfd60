"""The applications of an installation, for ``portico app``."""

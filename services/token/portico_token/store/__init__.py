"""The stores: one file per aggregate, Redis behind the Protocols of `domain`, atomic steps in ``lua/``."""

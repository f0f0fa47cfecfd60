"""Calls of services on the bus, as `operator`."""

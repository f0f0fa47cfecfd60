"""Generated from libs/contracts by `make gen`."""

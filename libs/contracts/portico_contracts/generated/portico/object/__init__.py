"""Generated from libs/contracts/proto by `make gen`."""

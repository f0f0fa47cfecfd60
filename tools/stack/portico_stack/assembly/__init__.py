"""A stack put together: the layout of its parts, the settings of services, the order of the start."""

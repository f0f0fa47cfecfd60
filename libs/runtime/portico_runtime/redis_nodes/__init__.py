"""The nodes of Redis: which one has a key, what is asked of one together, and whether one went back in time."""

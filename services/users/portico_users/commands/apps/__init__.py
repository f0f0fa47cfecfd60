"""Applications: added, changed, removed; their secrets and keys."""

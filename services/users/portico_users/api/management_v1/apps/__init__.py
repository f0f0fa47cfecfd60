"""Applications: their settings, secrets and keys."""

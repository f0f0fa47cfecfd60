"""Service users: programs with keys, a secret or personal access tokens."""

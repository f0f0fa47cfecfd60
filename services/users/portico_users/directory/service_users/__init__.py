"""Service users: programs that act in their own name."""

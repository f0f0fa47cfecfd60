"""Making keys and moving them through their life, on every replica at once, each step by exactly one."""

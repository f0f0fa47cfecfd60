"""Creates keys and moves them through their lifecycle, on every replica at once, each step by exactly one."""

"""Creates and transitions keys: every replica runs it, and each step is done by exactly one."""

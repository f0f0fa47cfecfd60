"""A new application: one question, its addresses, finished configuration, and the wait for its first sign-in."""

"""How settings are read and checked; each section of them is a file of `sections`.

A service composes its sections in its own `settings` module.
"""

"""What ``python -m portico_<service> doctor`` checks from where a service runs, with the settings it runs with.

`examination` has all of it, in its order; each server has a module. Nothing is changed anywhere, and no secret is printed.
"""

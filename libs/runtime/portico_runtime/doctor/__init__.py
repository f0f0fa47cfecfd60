"""The checks of ``python -m portico_<service> doctor``, which run in the service's environment with its settings.

`examination` runs all checks in order; each server has a module. The checks change nothing and print no secrets.
"""

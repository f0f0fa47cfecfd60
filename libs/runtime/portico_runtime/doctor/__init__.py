"""The doctor of a service, ``python -m portico_<service> doctor``. It changes nothing and prints no secrets.

A check looks at one thing and yields findings. Checks of what several services need are here; the others are in the
`doctor` module of the service. `portico doctor` of the command asks from outside.
"""

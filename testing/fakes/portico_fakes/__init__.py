"""Test doubles of a service's environment: stores and a bus in memory, other services, a frozen clock.

Also contains samples of messages and the `*_service` modules, which build one service on these doubles. The
product does not import this package.
"""

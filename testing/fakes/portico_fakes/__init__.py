"""Test doubles of a service's environment: stores and a bus in memory, other services, a frozen clock.

Owns also the samples of every message and the `*_service` modules, which put one service together with all of it.
Nothing of the product imports it.
"""

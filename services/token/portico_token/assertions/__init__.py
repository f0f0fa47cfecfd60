"""Assertions (RFC 7521, RFC 7523): signed JWTs by which their issuer authenticates, each accepted once.

One set of rules for `private_key_jwt` and for the JWT profile grant; each has error codes of its own for the same faults.
"""

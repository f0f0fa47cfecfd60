"""Assertions (RFC 7521, RFC 7523): signed JWTs by which their issuer authenticates, each accepted once.

`private_key_jwt` and the JWT profile grant share the rules; each has its own error codes.
"""

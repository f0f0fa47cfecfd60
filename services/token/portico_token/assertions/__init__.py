"""Assertions (RFC 7521, RFC 7523): signed JWTs that say who their issuer is, each believed once.

One set of rules for `private_key_jwt` and for the JWT profile grant; what a refusal is called there is theirs.
"""

"""Assertions (RFC 7521, RFC 7523), for `private_key_jwt` and the JWT profile grant; each is accepted once."""

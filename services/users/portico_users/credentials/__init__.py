"""Credentials of users: passwords, passkeys, authenticator apps, codes for one sign-in, and attempts at them.

Owns how each is stored, verified and limited. Does not own which of them an organization accepts: see `policies`.
"""

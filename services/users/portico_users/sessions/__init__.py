"""Sessions, trusted devices and access of applications of a user, and acting for users.

Owns the consents of users, which are in their records. Does not own sessions and trusted devices, which authz keeps,
or grants of tokens, which token keeps: it requests them.
"""

"""People: profile, addresses, codes for them, registration, recovery, and the links that emails have.

Owns the record of a person and its changes. Does not own credentials or roles.
"""

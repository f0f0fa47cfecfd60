"""Commands for end users: creation, changes, registration and recovery.

A registration creates no account until the emailed code is entered: the data are stored with the challenge,
for an hour. Until then no name is taken, and sign-in does not reveal whether the address already had an
account (LG-01).
"""

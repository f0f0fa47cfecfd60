"""Commands for end users: creation, changes, registration and recovery.

A person who registers has no account until the emailed code is entered: the data are stored with the
challenge. Until then there is nothing to sign in to, no name is taken, and sign-in reveals to no one whether
the address already had an account (LG-01). The data are deleted after an hour.
"""

"""Humans: created and changed, and those who register.

Who registers has no account yet: the values wait with the challenge, and become a human when the code that was sent by
email is entered. Until then nothing can be signed in with, no name is taken, and signing in reveals to no stranger
whether the address had an account before (LG-01). An hour later the values are deleted.
"""

"""Passwords known from data breaches: refused if the organization's policy requires it (decision 0101).

Owns the two lists: a file, and a range service. `breached_passwords.py` asks the configured one, and answers that a
password is not listed while it cannot be read.
"""

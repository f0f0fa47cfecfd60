"""Credentials: keys, codes of an app or a mail, recovery codes. A user may change their own."""

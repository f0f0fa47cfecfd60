"""Exports stored objects as a document: applying it here changes nothing, elsewhere it creates the same objects.

Secrets, passwords and factors are not exported; notes list per object what has to be set again.
"""

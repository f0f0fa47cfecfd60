"""Writes the stored objects as a document, such that applying it here changes nothing and elsewhere builds the same.

Secrets, passwords and factors are not in it: a note beside each object lists what has to be set again. What is empty
is left out.
"""

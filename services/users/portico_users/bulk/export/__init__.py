"""Writes what stands as a document, such that applying it here changes nothing and elsewhere builds the same.

Secrets, passwords and factors are not in it: a note says of each object what has to be set again. What is empty
is left out.
"""

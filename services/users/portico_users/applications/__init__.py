"""Applications: clients registered in a project, or known by a metadata document, with their keys and secrets.

Owns their settings and how they authenticate. Does not own tokens or consents.
"""

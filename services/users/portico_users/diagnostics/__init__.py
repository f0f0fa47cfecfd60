"""Traces of requests of relying parties, and who may read them.

Owns how long they are stored, and the sentences of hints. Does not own the checks: see authz and token.
"""

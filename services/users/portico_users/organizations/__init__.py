"""Organizations and their domains.

Owns their states, the proof of a domain, and that the instance keeps an owner. Does not own their settings:
see `policies`.
"""

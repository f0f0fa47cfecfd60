"""Trusted workloads of service users and applications: whose tokens authenticate them (decision 0152).

Owns their rules, the keys that issuers publish, and the log of their use. Does not own the service users and
applications that have them, nor the verification of tokens: see token.
"""

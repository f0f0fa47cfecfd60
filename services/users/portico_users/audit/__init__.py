"""The audit: events of the log with names and sentences, sign-ins and refusals, and counts of them.

Reads the log; only `journal` and `sign_ins` write to it.
"""

"""The journal: one transaction writes state, event and outbox row; a relay publishes the event.

What a change relies on, and what else changes with it, is named by the constraints of its table (`constraints.py`); its
cascades are written by `cascades.py`.
The event log is the audit trail and the source of every object's sequence. It never holds a secret.
"""

"""The journal: one transaction writes state, event and outbox row; a relay says the event on the bus.

What a change relies on, and what else changes with it, is named by the ties of its table (`ties.py`); what
follows from it is written by `followers.py`.
The event log is the audit trail and the source of every object's sequence. It never holds a secret.
"""

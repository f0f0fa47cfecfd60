"""The journal: one transaction writes state, event and outbox row; a relay says the event on the bus.

The event log is the audit trail and the source of every object's sequence. It never holds a secret.
"""

"""The journal: one transaction writes state, event and outbox row; a relay publishes the event.

Each table declares constraints (`constraints.py`): the objects a change depends on, and dependent changes,
which `cascades.py` writes. The event log is the audit trail and the source of each object's sequence. It
never contains a secret.
"""

"""Sentences of the event log: one for each kind of object and each kind of change."""

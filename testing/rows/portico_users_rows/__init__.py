"""What the management API has to keep, as rows: who may call which operation, and how long a value may be.

The tests of users and the whole-system tests walk through the same rows.
"""

"""Who may call which operation of the management API, and what everybody else hears: the rows of the matrix.

One module for each subject; `tests/management/test_permissions.py` puts them together and walks through them.
"""

"""Who may call which operation of the management API, and which error every other caller gets: the rows of the matrix.

One module for each subject; `matrix.py` puts them together, a unit test compares them with the operations, and
`tests/management/test_permissions.py` calls every operation as every caller.
"""

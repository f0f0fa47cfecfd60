"""``portico user import``: humans by the thousand, each created as the management API creates one.

A row is the body of ``POST /v2/users/human``. It is validated as a whole first, so that all its errors are returned
together; then the same command creates the user. A user that exists with the same data is left unchanged: a run that was
interrupted is simply started again. No email is sent unless a row requests it with ``sendCode``.
"""

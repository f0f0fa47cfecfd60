"""``portico user import`` and ImportHumanUsers: many users; each is created as by the management API.

A row is the body of ``POST /v2/users/human``. It is validated as a whole, so that all its errors are returned
together; then the same command creates the user. An existing user with the same data stays unchanged, so an
interrupted run can be repeated. No email is sent unless a row requests it with ``sendCode``.
"""

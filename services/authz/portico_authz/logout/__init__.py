"""Logout: end_session with its confirmation (RP-Initiated Logout 1.0), and logout tokens (Back-Channel Logout 1.0).

`logout_request` parses and checks the request -> `end_session` ends sessions at once, or stores a pending
logout and redirects the browser to the page -> `confirm` handles that page -> `session.end_sessions` ends the
sessions -> `back_channel` notifies the clients.
"""

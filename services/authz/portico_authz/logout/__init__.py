"""Logout: end_session with its confirmation (RP-Initiated Logout 1.0), and logout tokens (Back-Channel Logout 1.0).

`logout_request` parses and checks the request -> `end_session` ends sessions, or stores a pending logout and
redirects to its page -> `confirm` -> `session.end_sessions` -> `back_channel` notifies the clients.
"""

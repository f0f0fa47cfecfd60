"""Signing out: end_session with its confirmation (RP-Initiated Logout 1.0), and telling the clients (Back-Channel).

`read_wish` checks what is asked -> `end_session` ends sessions at once, or keeps a request and sends the browser to
the page -> `confirm` answers that page -> `session.end_sessions` does it -> `back_channel` tells the clients.
"""

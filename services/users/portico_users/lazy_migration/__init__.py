"""Users that a webhook knows: created at their first sign-in with the password of the system they come from (decision 0103).

Owns the call of the webhook, and that one of several sign-ins creates the user. Does not own the webhook: see `webhooks`.
"""

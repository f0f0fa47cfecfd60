"""Token hooks: webhooks with `token.issue`, called for token before it issues tokens (decision 0149).

Owns the call with its time limit, its pause after failures, and the log of failed calls. Does not own the webhook: see
`webhooks`.
"""

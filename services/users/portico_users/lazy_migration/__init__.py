"""Users that a webhook knows: created at their first sign-in with the password of the system they come from (decision 0103)."""

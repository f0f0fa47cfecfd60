"""The login state machine behind the login API: one authorization request and its next step."""

"""The login state machine behind the login API: one authorization request and its next step.

`handle_submission` runs five stages, each of which calls only modules below its own (an import contract):
`open_login` opens the login, `repeat_submission` answers an idempotent retry, `verify_submission` uses up the
CSRF value of the form, `advance` passes the answer to its step, and `build_step` has the step build its page and rotates
the browser's handle. A `Transition` (`state`) is passed from stage to stage. `steps` has a module for each step.
"""

"""The login state machine behind the login API: one authorization request and its next step.

`handle_submission` runs five stages, each of which calls only modules below its own: `open_login` opens the login,
`repeat_submission` answers an idempotent retry, `verify_submission` uses up the CSRF value of the form, `advance` hands
the answer to the handler of its step, and `build_step` makes the answer and rotates the browser's handle. A form that was
sent twice gets what the first one got (`repeat_submission` as well). An import contract holds that order. What one stage gives the
next is a `Transition` (`state`).
"""

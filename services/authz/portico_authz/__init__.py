"""authz: authorization requests, the login state machine, SSO sessions and logout, codes, discovery. All state
is in Redis. It must never read a password (users verifies it), hold a private key, or access the users
database.

A request: `routes` reads parameters and cookie -> `authorize.pipeline` runs the checks of `authorize`, then
`authorize.decide` -> a response (`codes`: a code, or tokens issued by token), an error, or a stored request
and the login pages. These read each step (`steps`) from `login.get_step` and submit it to
`login.handle_submission`, where `login.handlers` has one handler per step; `login.continue_login` continues
after an authentication until no requirement remains, `session.sign_in` starts the session, and
`authorize.resume` responds to the relying party. Token redeems the code through `rpc_handlers`.

A logout: `logout.end_session`, with or without `logout.confirm`, then `session.end_sessions`;
`logout.back_channel` notifies the clients afterwards.
"""

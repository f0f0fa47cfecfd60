"""authz: authorization requests, the login state machine, SSO sessions and their end, codes, discovery.

Owns: discovery, ``/oauth/v2/authorize`` with its checks, ``/oidc/v1/end_session``, the login API, browsers and their
sessions, codes (issue and redeem), the queue of ended sessions. All of it lives in Redis.

Must never: read a password (users verifies it), hold a private key, access the users database.

The path of a request: `routes` reads parameters and cookie -> `authorize.pipeline` runs the grid of checks in
`authorize`, then `authorize.decide` -> a response (`codes`: a code, or tokens issued by token), an error, or a stored
request and the login pages. These read each step (`steps`) from `login.get_step` and submit it to
`login.handle_submission`, where `login.handlers` has one handler per step; `login.continue_login` continues after an
authentication until no requirement is left, `session.sign_in` starts the session, and `authorize.resume` answers the
relying party. Token redeems the code through `rpc_handlers`.

The path of a logout: `logout.end_session`, with or without `logout.confirm`, then `session.end_sessions`;
`logout.back_channel` notifies the clients afterwards.
"""

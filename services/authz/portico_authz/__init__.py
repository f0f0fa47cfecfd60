"""authz: authorization requests, the login state machine, SSO sessions and their end, codes, discovery.

Owns: discovery, ``/oauth/v2/authorize`` with its checks, ``/oidc/v1/end_session``, the login API, browsers and their
sessions, codes (issue and redeem), the queue of ended sessions. All of it lives in Redis.

Must never: read a password (users checks it), hold a private key, touch the users database.

The walk of one request: `routes` reads parameters and cookie -> `authorize.pipeline` runs the grid of
checks in `authorize`, then `authorize.decide` -> an answer (`codes`: a code, or tokens asked of token), an error, or a
stored request and the login pages. These ask `login.ask_step` and `login.answers` for one step after the other
(`steps`), each taken by a `login.take_*`; `login.proceed` goes on after a proof until nothing is demanded,
`session.sign_in` ends that, and `authorize.resume` answers the relying party. Token redeems the code through
`messages`.

The walk of a logout: `logout.end_session`, maybe `logout.confirm`, then `session.end_sessions`; `logout.back_channel`
works off what is owed afterwards.
"""

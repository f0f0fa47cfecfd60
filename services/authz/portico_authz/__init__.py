"""authz: authorization requests, the login state machine, SSO sessions, authorization codes, discovery.

Owns: discovery, ``/oauth/v2/authorize`` with its checks, the login API, browsers and their sessions, codes
(issue and redeem). All of it lives in Redis.

Must never: read a password (users checks it), hold a private key, touch the users database.

The walk of one request: `routes` reads parameters and cookie -> `authorize.pipeline` runs the grid of
checks in `authorize`, then `authorize.decide` -> a code (`codes.issue`), an error, or a stored request and
the login pages. These ask `login.answers` for one step after the other (`login.steps`); `session.sign_in` ends
them, and `authorize.resume` answers the relying party. Token redeems the code through `messages`.
"""

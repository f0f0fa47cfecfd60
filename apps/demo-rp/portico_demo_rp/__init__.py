"""A demo relying party built on Authlib's Starlette integration, without Portico code in the protocol.

It implements the code flow with PKCE, state and nonce, RP-initiated and back-channel logout, and pages that
show the tokens. `make up` prints its address; tests start it as a client on other ports.

`app.login` redirects the browser to the provider. `app.callback` redeems the code (Authlib checks state,
nonce, issuer, audience and signature), requests userinfo and stores the result in `memory` under the id in a
signed cookie. ``/session.json`` returns that result unmodified, which is acceptable only because this is a
demonstration on loopback. ``/logout/everywhere`` also signs out at the provider; ``/backchannel-logout``
receives the provider's logout tokens.
"""

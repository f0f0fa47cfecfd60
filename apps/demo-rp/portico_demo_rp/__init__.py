"""A demo relying party built on Authlib's Starlette integration, without Portico code in the protocol.

`app.callback` redeems the code (Authlib checks state, nonce, issuer, audience and signature) and stores the
result in `memory` under the id in a signed cookie. ``/session.json`` returns that result unmodified, which is
acceptable only because this is a demonstration on loopback. ``/logout/everywhere`` also signs out at the
provider; ``/backchannel-logout`` receives the provider's logout tokens.
"""

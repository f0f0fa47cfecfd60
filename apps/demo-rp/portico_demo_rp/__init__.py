"""A relying party to sign in to: Authlib's Starlette integration, with nothing of Portico in its protocol code.

Owns: one code flow with PKCE, state and nonce, logout both ways (RP-initiated and back-channel), and pages that show
what came back. Usable by hand at the address `make up` prints, and by the tests as clients on ports of their own.

Does not own: any rule of the provider; what a claim must be is checked by the tests with another library.

The walk of one sign-in: `app.login` sends the browser to the provider, `app.callback` redeems the code
(Authlib checks state, nonce, issuer, audience, signature), requests userinfo, and stores the result in `memory`
under the id in a signed cookie. ``/session.json`` shows that result raw: this is a demonstration, on loopback.
``/logout/everywhere`` signs out at the provider too; ``/backchannel-logout`` is where the provider sends logout tokens.
"""

"""The vocabulary of OAuth 2.0 and OpenID Connect that every Portico service shares.

Owns: parameter reading, error kinds and error codes, response types, scopes and claims, PKCE, opaque
identifiers, JOSE helpers, the registration rule for redirect URIs.

Does not own: any I/O, any framework, any decision that needs a store. Everything here is a value or a
pure function, so that a rule of the protocol can be read and tested on one page.
"""

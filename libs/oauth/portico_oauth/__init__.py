"""The OAuth 2.0 and OpenID Connect vocabulary shared by all Portico services.

Parameter parsing, error kinds and codes, response types, scopes and claims, PKCE, opaque identifiers, JOSE
helpers, and the registration rule for redirect URIs. It has no I/O and uses no framework: everything is a
value or a pure function.
"""

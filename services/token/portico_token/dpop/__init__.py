"""DPoP (RFC 9449): proofs that the caller has a private key, and the access tokens that are bound to it."""

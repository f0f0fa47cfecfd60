"""Use cases of credentials: WebAuthn credentials, authenticator apps, codes by email, recovery codes, passwords."""

"""Credentials: a folder each for passwords, TOTP, WebAuthn, codes by email, recovery codes and attempts."""

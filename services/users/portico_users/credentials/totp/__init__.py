"""Authenticator apps (TOTP, RFC 6238)."""

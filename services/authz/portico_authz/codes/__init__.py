"""Codes (RFC 6749 sections 4.1.2 and 4.1.3) and tokens of implicit responses (OIDC Core section 3.2)."""

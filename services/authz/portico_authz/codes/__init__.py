"""Authorization codes: issue and redeem (RFC 6749 §4.1.2, §4.1.3); and tokens in their place (OIDC Core §3.2)."""

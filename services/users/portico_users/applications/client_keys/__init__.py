"""Public keys and secrets of applications and service users (RFC 7517, RFC 7523)."""

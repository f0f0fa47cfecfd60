"""Public keys and secrets of clients and service users (RFC 7517, RFC 7523)."""

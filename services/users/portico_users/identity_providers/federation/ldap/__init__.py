"""LDAP sign-in: finds users by a search and verifies passwords by a bind (RFC 4511, RFC 4513)."""

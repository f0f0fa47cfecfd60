"""Directories: people are found by a search, and prove who they are by a bind with their password (RFC 4511, RFC 4513)."""

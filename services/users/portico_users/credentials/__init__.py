"""Credentials: how somebody proves to be somebody. Passwords so far; factors come beside them."""

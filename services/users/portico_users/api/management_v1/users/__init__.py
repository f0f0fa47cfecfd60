"""Users, their metadata and passkey links as `portico.management.v1` has them."""

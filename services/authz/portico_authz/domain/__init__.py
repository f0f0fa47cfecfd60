"""Values, states and rules of authz, and its ports to stores and other services (Protocols)."""

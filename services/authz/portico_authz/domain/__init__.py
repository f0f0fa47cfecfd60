"""Values, states and rules of authz, and what it needs of stores and of other services (Protocols)."""

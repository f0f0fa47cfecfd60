"""Groups of an organization, and how users belong to them (decision 0098)."""

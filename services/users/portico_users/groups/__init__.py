"""Groups of an organization, and how users belong to them (decisions 0098, 0136).

Owns groups, also within each other, and what users inherit from them. Does not own which groups an identity provider
gives: see `identity_providers`.
"""

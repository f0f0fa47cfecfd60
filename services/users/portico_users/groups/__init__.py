"""Groups of an organization, and how users belong to them (decision 0098).

Owns groups, also within each other, and what users inherit from them. Does not own which groups an identity provider
gives: see `identity_providers`.
"""

"""The first administrator: a one-time link of the operator, and everything that it creates at once (decision 0057).

Owns the link. Does not own what it creates: organization, user, factor and membership follow the rules of their features.
"""

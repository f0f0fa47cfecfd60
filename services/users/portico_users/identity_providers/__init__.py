"""Identity providers: their settings, sign-ins at them, links of users, and what their groups give.

Owns the protocols towards them (`federation`). Does not own the steps of a sign-in: see authz.
"""

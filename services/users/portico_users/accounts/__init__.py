"""Users and service users together: login names, states, search, and what authz and token receive of them.

Owns the collection of both and the rules that both follow. Does not own what only one of them has: see `end_users` and
`service_users`.
"""

"""Identity assertions of providers that an organization accepts in place of a sign-in (decision 0157).

Owns the rules of an administrator: which client, which API, which scopes; and which user an assertion is about. Does not
own the verification of assertions: see token.
"""

"""Identity assertions of other issuers in place of a sign-in (decision 0157): recognizes and verifies them.

draft-ietf-oauth-identity-assertion-authz-grant, as the Resource Authorization Server.
"""

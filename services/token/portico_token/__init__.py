"""token: grants and everything that is issued from them.

Owns: the token endpoint and its grants, client authentication, access tokens and id_tokens, userinfo; the
grant records in Redis that decide whether a token is active.

Does not own: who a user is (users), how somebody signed in and what a code stands for (authz), the life of
signing keys (keys; here they are held in memory as a lease, never on disk).

The walk of ``POST /oauth/v2/token``: `routes` → `token_endpoint` (the numbered steps) → `client_auth` (find,
verify) → `grants` (one file each; the code is claimed at authz) → `issuing` (access token, the grant kept by
one script of `store/lua`, id_token) → answer.

The walk of ``/oidc/v1/userinfo``: `routes` → `userinfo` → `bearer` (the one token) → `active_tokens` (one
HMGET decides) → `domain.claims`.
"""

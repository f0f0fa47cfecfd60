"""token: grants and everything that is issued from them.

Owns: the token endpoint and its grants, client authentication, access tokens and id_tokens, introspection,
revocation, userinfo; the grant records in Redis that decide whether a token is active, and the marks of what was
ended that has no record. For authz it signs logout tokens and the tokens of implicit answers.

Does not own: who a user is (users), how somebody signed in and what a code stands for (authz), the life of
signing keys (keys; here they are held in memory as a lease, never on disk).

The walk of ``POST /oauth/v2/token``: `routes` → `token_endpoint` (the numbered steps) → `client_auth` (find, verify;
what is signed by `assertions`, each believed once) → `grants` (one file each; the code is claimed at authz) →
`issuing` (asks what has to be asked, then one script of `store/lua` keeps the grant or rotates the refresh token,
then the tokens are signed) → answer.

The walk of ``/oidc/v1/userinfo``: `routes` → `cross_origin` → `userinfo` → `bearer` (the one token) →
`active_tokens` → `domain.claims`.

The walk of ``POST /oauth/v2/introspect``: `routes` → `introspection` → `credential_form` → `client_auth` →
`active_tokens` (`token_reader` says where its state lives; one HMGET of its grant decides, or one script where it
has none) → is the caller in its audience → `domain.claims`, `domain.roles`.
"""

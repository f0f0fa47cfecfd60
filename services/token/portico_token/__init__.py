"""token: grants and the tokens issued from them.

It owns the token endpoint and its grants, client authentication, access tokens and id_tokens, introspection,
revocation and userinfo; and in Redis the grant records that decide whether a token is active, and the
revocations of tokens without a record. It signs logout tokens and the tokens of implicit responses for authz.

Users and credentials belong to users, logins and authorization codes to authz, and the lifecycle of signing
keys to keys; here they are in memory as a lease, never on disk.

``POST /oauth/v2/token``: `routes` → `token_endpoint` (the numbered steps) → `client_auth` (find, verify;
signed JWTs by `assertions`, each accepted once) → `grants` (one file each; the code is claimed at authz) →
`issuing` (loads the user, then one script of `store/lua` saves the grant or rotates the refresh token, then
the tokens are signed) → response.

``/oidc/v1/userinfo``: `routes` → `cross_origin` → `userinfo` → `bearer` (the one token) → `active_tokens` →
`domain.claims`.

``POST /oauth/v2/introspect``: `routes` → `introspection` → `credential_form` → `client_auth` →
`active_tokens` (`token_reader` finds where its state is stored; one HMGET of its grant decides, or one script
where it has none) → is the caller in its audience → `domain.claims`, `domain.roles`.
"""

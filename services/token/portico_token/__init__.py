"""token: grants and the tokens issued from them.

It owns the token endpoint, client authentication, access tokens and id_tokens, introspection, revocation and
userinfo; and in Redis the grant records that decide whether a token is active. It signs logout tokens and the
tokens of implicit responses for authz. Signing keys belong to keys; here they are in memory as a lease, never
on disk.

``POST /oauth/v2/token``: `routes` → `token_endpoint` (the numbered steps) → `client_auth` (find, verify) →
`grants` (one file each; the code is claimed at authz) → `issuing` (loads the user; one script of `store/lua`
saves the grant or rotates the refresh token, then the tokens are signed) → response.

``/oidc/v1/userinfo``: `routes` → `cross_origin` → `userinfo` → `bearer` → `active_tokens` → `domain.claims`.

``POST /oauth/v2/introspect``: `routes` → `introspection` → `credential_form` → `client_auth` →
`active_tokens` (one HMGET of the grant decides, or one script where the token has none) → is the caller in
its audience → `domain.claims`, `domain.roles`.
"""

"""The OpenID Connect relying party: code flow with PKCE and nonce, private_key_jwt, logout at the provider."""

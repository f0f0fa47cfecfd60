"""The OpenID Connect relying party: code flow with PKCE and nonce, private_key_jwt, sign-out at the provider."""

"""The OAuth 2.0 and OpenID Connect vocabulary of all services: values and pure functions, without I/O."""

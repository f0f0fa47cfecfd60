"""Credentials of a user, who may change their own: passkeys, second factors, recovery codes."""

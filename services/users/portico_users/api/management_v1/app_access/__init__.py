"""The applications that have access to an account: token has their grants."""

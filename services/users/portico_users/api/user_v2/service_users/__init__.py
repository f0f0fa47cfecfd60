"""Credentials of service users as `portico.user.v2` has them."""

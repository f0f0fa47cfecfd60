"""Signing in on devices without a browser (RFC 8628): begin, enter the code, answer, redeem."""

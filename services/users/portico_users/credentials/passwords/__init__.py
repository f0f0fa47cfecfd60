"""Passwords: policy, hashes, verification and change."""

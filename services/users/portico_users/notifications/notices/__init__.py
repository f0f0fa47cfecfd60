"""Notices to account owners when a credential changes (LG-24)."""

"""Notices to account owners: of credential changes (LG-24) and other events."""

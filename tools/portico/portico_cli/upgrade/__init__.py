"""Reads an installation or a backup before an upgrade, and rehearses the upgrade on a copy (decision 0106)."""

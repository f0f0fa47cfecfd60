"""Directories (LDAP, Active Directory): their login names and passwords are entered here."""

from __future__ import annotations

from portico_login_ui.methods.directory.login import Directory

__all__ = ["Directory"]

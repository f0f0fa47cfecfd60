"""Links in mails: the one that proves an address, the one that sets a password, and how to get that."""

from __future__ import annotations

from portico_login_ui.methods.mailed_links.link import MailedLink, link_address, load_link
from portico_login_ui.methods.mailed_links.typed import password_typed, problem_of, read_login_name

__all__ = ["MailedLink", "link_address", "load_link", "password_typed", "problem_of", "read_login_name"]

from __future__ import annotations

from portico_contracts.login import PageBranding
from portico_web.catalogue import load_catalogue
from portico_web.languages import Language


def shown_name(name: str, look: PageBranding, language: Language) -> str:
    """Translates the name of Portico's own application; another one that the operator gave it has no translation."""
    return load_catalogue("portico_login_ui", language.tag).gettext(name) if name and look.client_is_own else name

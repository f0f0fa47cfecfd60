"""The parameters of a link that registers a passkey, and the credential an authenticator made."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import urlencode

from portico_contracts.http import REGISTER_PASSKEY_PAGE
from portico_oauth.parameters import REPEATED, Parameters

from portico_login_ui.methods.emailed_links.link import INCOMPLETE, MAX_CODE, MAX_ID
from portico_login_ui.methods.webauthn.credential import ANSWER_TOO_LONG, MAX_CREDENTIAL

_NAMES: Final = {"user_id": "userID", "code_id": "codeID", "code": "code"}


class PasskeyLink(NamedTuple):
    """Whose passkey it becomes, and the code that allows it."""

    user_id: str
    code_id: str
    code: str

    def __repr__(self) -> str:
        """Names the kind only."""
        return "PasskeyLink(...)"


def load_passkey_link(parameters: Parameters) -> PasskeyLink:
    """The link of an address.

    Raises:
        ServiceError: LOGIN-110 for what is no link of ours.
    """
    if set(_NAMES.values()) & parameters.repeated:
        raise REPEATED.error()
    link = PasskeyLink(*(parameters.get(name, "") for name in _NAMES.values()))
    if not all(link) or len(link.code) > MAX_CODE or max(len(link.user_id), len(link.code_id)) > MAX_ID:
        raise INCOMPLETE.error()
    return link


def passkey_link_address(link: PasskeyLink) -> str:
    """The address of the page, with the link."""
    return f"{REGISTER_PASSKEY_PAGE}?{urlencode({_NAMES[name]: value for name, value in link._asdict().items()})}"


def made_credential(form: Parameters) -> tuple[str, str]:
    """For which registration a key made something, and what; LOGIN-201 for too much."""
    passkey_id, credential = form.get("passkey_id", ""), form.get("credential", "")
    if len(credential) > MAX_CREDENTIAL or len(passkey_id) > MAX_ID:
        raise ANSWER_TOO_LONG.error()
    return passkey_id, credential

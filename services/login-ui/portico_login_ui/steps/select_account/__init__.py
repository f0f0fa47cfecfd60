from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.login_steps.select_account import SelectAccountAnswer, SelectAccountStep
from portico_oauth.parameters import Parameters

from portico_login_ui.methods.method import Method, read_typed


def _read(form: Parameters, bare: SelectAccountAnswer) -> SelectAccountAnswer | None:
    """The id of the account whose button was pressed; none for another account."""
    account = read_typed(form, "account")
    if account:
        return replace(bare, account=account)
    return bare if "other" in form else None


METHOD = Method("select_account.html", SelectAccountStep, SelectAccountAnswer, _read)

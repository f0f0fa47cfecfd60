from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.login_steps.external_no_account import ExternalNoAccountAnswer, ExternalNoAccountStep
from portico_oauth.parameters import Parameters

from portico_login_ui.methods.method import Method


def _read(form: Parameters, bare: ExternalNoAccountAnswer) -> ExternalNoAccountAnswer | None:
    return replace(bare, link=True) if "link" in form else None


METHOD = Method("external_no_account.html", ExternalNoAccountStep, ExternalNoAccountAnswer, _read)

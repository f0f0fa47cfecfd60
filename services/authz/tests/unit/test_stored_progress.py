from __future__ import annotations

from typing import Final

from portico_authz.domain.external import ProviderOrigin
from portico_authz.domain.progress import (
    AtDirectory,
    ChosenFactor,
    Consented,
    Enrolment,
    Progress,
    Registering,
    UnderWay,
    UsingPasskey,
    VerifyingEmail,
)
from portico_authz.login.steps import REQUIREMENTS
from portico_authz.store.progress_form import decode_progress, encode_progress
from portico_contracts.step_names import StepName
from portico_contracts.users import ApiScope

UNDER_WAY: Final = (
    Registering(),
    VerifyingEmail(challenge="a", mail="a…@example.test"),
    AtDirectory(ProviderOrigin("i", "Acme", "")),
    UsingPasskey(),
    ChosenFactor(StepName.TOTP),
    Enrolment(name="e", mail="a…@example.test", is_open=True, chosen=StepName.TOTP, is_done=True),
    Consented("ada", (ApiScope("shop", "orders.read"),)),
)


def test_what_is_under_way_is_read_as_it_was_stored() -> None:
    kept = [Progress(login_name="ada", under_way=one) for one in UNDER_WAY]

    assert [decode_progress(encode_progress(progress)) for progress in kept] == kept


def test_everything_that_can_be_under_way_is_stored() -> None:
    """An answer of a step that cannot be stored would fail."""
    assert REQUIREMENTS  # steps may define their own
    cure = "Add how it is stored to progress_form.py, and its case to UNDER_WAY."

    assert {kind.__qualname__ for kind in UnderWay.__subclasses__()} == {type(one).__qualname__ for one in UNDER_WAY}, (
        cure
    )

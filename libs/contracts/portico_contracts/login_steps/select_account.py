from __future__ import annotations

from portico_contracts.login import Account, Answer, Step
from portico_contracts.step_names import StepName
from portico_contracts.users.external import OfferedProvider


class SelectAccountStep(Step, frozen=True, tag="select_account"):
    """The accounts of this browser."""

    name = StepName.SELECT_ACCOUNT
    accounts: tuple[Account, ...] = ()
    providers: tuple[OfferedProvider, ...] = ()


class SelectAccountAnswer(Answer, frozen=True, tag="select_account"):
    """`account` is the selected `Account.id`; empty for another account."""

    step = StepName.SELECT_ACCOUNT
    account: str = ""

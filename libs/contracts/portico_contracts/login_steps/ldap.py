from __future__ import annotations

from portico_contracts.login import Answer, Step
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Secret


class LdapStep(Step, frozen=True, tag="directory"):
    """`external_name` is the display name of the LDAP directory."""

    name = StepName.LDAP
    external_name: str = ""


class LdapAnswer(Answer, frozen=True, tag="directory"):
    """Login name and password of the directory."""

    step = StepName.LDAP
    login_name: str = ""
    password: Secret = ""

"""The names of the management API against the values of the wire."""

from __future__ import annotations

from typing import Final

from portico_contracts.apply import PrivateLabelingSetting
from portico_contracts.users import PrivateLabeling

PRIVATE_LABELING: Final = {
    PrivateLabelingSetting.UNSPECIFIED: PrivateLabeling.UNSPECIFIED,
    PrivateLabelingSetting.ENFORCE_PROJECT: PrivateLabeling.PROJECT,
    PrivateLabelingSetting.ALLOW_LOGIN_USER: PrivateLabeling.USER,
}

PRIVATE_LABELING_SETTINGS: Final = {value: name for name, value in PRIVATE_LABELING.items()}

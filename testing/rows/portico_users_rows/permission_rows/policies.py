"""The rows of policies."""

from __future__ import annotations

from typing import Any, Final

from portico_users_rows.permission_rows.idps import INSTANCE_ONLY
from portico_users_rows.permission_rows.row import (
    ABSENT,
    NO,
    NOT_NOW,
    OF_OWN_ORG,
    READS_OWN_ORG,
    WHO,
    YES,
    Row,
    body,
    nothing,
)

_ORG: Final = "portico.management.v1.PolicyService"
_IAM: Final = "portico.admin.v1.PolicyService"

_WANTED: Final[dict[str, dict[str, Any]]] = {
    "Login": {"allowRegister": True},
    "PasswordComplexity": {"minLength": 9},
    "PasswordAge": {"maxAgeDays": 90},
    "Lockout": {"maxPasswordAttempts": 9},
    "ClientMetadata": {"hosts": ["apps.example"], "projectId": "p-owner"},
    "Privacy": {"helpLink": "https://help.example"},
    "Label": {"primaryColor": "#112233"},
    "Text": {"texts": [{"language": "en", "signInTitle": "Welcome"}]},
}
_NONE_OF_ITS_OWN: Final = tuple(code or ABSENT for code in OF_OWN_ORG)
_ONCE: Final = (WHO, WHO, NO, NO, NO, YES, 6, YES)
"""The organization's second owner finds the value unchanged."""


def _rows_of(kind: str, wanted: dict[str, Any]) -> dict[str, Row]:
    return {
        f"{_ORG}.Get{kind}Policy": Row("", nothing, READS_OWN_ORG),
        f"{_ORG}.AddCustom{kind}Policy": Row("", body(**wanted), _ONCE),
        f"{_ORG}.UpdateCustom{kind}Policy": Row("", body(**wanted), _NONE_OF_ITS_OWN),
        f"{_ORG}.Reset{kind}PolicyToDefault": Row("", nothing, _NONE_OF_ITS_OWN),
        f"{_IAM}.Get{kind}Policy": Row("", nothing, INSTANCE_ONLY),
        f"{_IAM}.Update{kind}Policy": Row("", body(**wanted), INSTANCE_ONLY),
    }


_UNKNOWN: Final = tuple(code or ABSENT for code in OF_OWN_ORG)
_INSTANCE_UNKNOWN: Final = tuple(code or ABSENT for code in INSTANCE_ONLY)
_IDP: Final = body(idpId="nobody")

_SEGMENTS: Final = {
    "Second": ("second_factors", "SECOND_FACTOR_TYPE_OTP"),
    "Multi": ("multi_factors", "MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION"),
}
_NOT_AGAIN: Final = tuple(code or 6 for code in OF_OWN_ORG)
_INSTANCE_NOT_AGAIN: Final = tuple(code or 6 for code in INSTANCE_ONLY)
_GONE_ONCE: Final = (WHO, WHO, NO, NO, NO, YES, ABSENT, YES)
"""The organization's second owner finds the policy already removed."""


def _factor_rows(kind: str, segment: str, word: str) -> dict[str, Row]:
    return {
        f"{_ORG}.Add{kind}FactorToLoginPolicy": Row("", body(type=word), _NOT_AGAIN),
        f"{_ORG}.Remove{kind}FactorFromLoginPolicy": Row(
            f"/management/v1/policies/login/{segment}/{word}", nothing, _GONE_ONCE
        ),
        f"{_ORG}.ListLoginPolicy{kind}Factors": Row("", nothing, READS_OWN_ORG),
        f"{_IAM}.Add{kind}FactorToLoginPolicy": Row("", body(type=word), _INSTANCE_NOT_AGAIN),
        f"{_IAM}.Remove{kind}FactorFromLoginPolicy": Row(
            f"/admin/v1/policies/login/{segment}/{word}", nothing, INSTANCE_ONLY
        ),
        f"{_IAM}.ListLoginPolicy{kind}Factors": Row("", nothing, INSTANCE_ONLY),
    }


_LOGO: Final = body(
    logo="iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
_SAME_AGAIN: Final = (WHO, WHO, NO, NO, NO, YES, NOT_NOW, YES)
"""The second owner of the same organization finds it there."""

POLICY_ROWS: Final = {
    f"{_ORG}.SetLabelPolicyLogo": Row("/management/v1/policies/label/logo/LOGO_THEME_LIGHT", _LOGO, _SAME_AGAIN),
    f"{_ORG}.RemoveLabelPolicyLogo": Row("/management/v1/policies/label/logo/LOGO_THEME_DARK", nothing, _UNKNOWN),
    f"{_IAM}.SetLabelPolicyLogo": Row("/admin/v1/policies/label/logo/LOGO_THEME_LIGHT", _LOGO, INSTANCE_ONLY),
    f"{_IAM}.RemoveLabelPolicyLogo": Row("/admin/v1/policies/label/logo/LOGO_THEME_DARK", nothing, _INSTANCE_UNKNOWN),
    **{
        name: row
        for kind, (segment, word) in _SEGMENTS.items()
        for name, row in _factor_rows(kind, segment, word).items()
    },
    **{name: row for kind, wanted in _WANTED.items() for name, row in _rows_of(kind, wanted).items()},
    f"{_ORG}.AddIDPToLoginPolicy": Row("", _IDP, _UNKNOWN),
    f"{_ORG}.RemoveIDPFromLoginPolicy": Row("/management/v1/policies/login/idps/nobody", nothing, _UNKNOWN),
    f"{_ORG}.ListLoginPolicyIDPs": Row("", nothing, READS_OWN_ORG),
    f"{_ORG}.ListMetadataApps": Row("", nothing, READS_OWN_ORG),
    f"{_ORG}.CountAffectedUsers": Row("", nothing, READS_OWN_ORG),
    f"{_IAM}.AddIDPToLoginPolicy": Row("", _IDP, _INSTANCE_UNKNOWN),
    f"{_IAM}.RemoveIDPFromLoginPolicy": Row("/admin/v1/policies/login/idps/nobody", nothing, _INSTANCE_UNKNOWN),
    f"{_IAM}.ListLoginPolicyIDPs": Row("", nothing, INSTANCE_ONLY),
    f"{_IAM}.CountAffectedUsers": Row("", nothing, INSTANCE_ONLY),
}
"""Organizations have no policies at first, and there is no identity provider to offer."""

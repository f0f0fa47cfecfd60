import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.management.v1 import app_pb2 as _app_pb2
from portico_contracts.generated.portico.management.v1 import idp_pb2 as _idp_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PlaceAction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLACE_ACTION_UNSPECIFIED: _ClassVar[PlaceAction]
    PLACE_ACTION_ALLOW: _ClassVar[PlaceAction]
    PLACE_ACTION_SECOND_FACTOR: _ClassVar[PlaceAction]
    PLACE_ACTION_REFUSE: _ClassVar[PlaceAction]

class FirstFactorType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FIRST_FACTOR_TYPE_UNSPECIFIED: _ClassVar[FirstFactorType]
    FIRST_FACTOR_TYPE_PASSWORD: _ClassVar[FirstFactorType]
    FIRST_FACTOR_TYPE_PASSKEY: _ClassVar[FirstFactorType]
    FIRST_FACTOR_TYPE_EMAIL_CODE: _ClassVar[FirstFactorType]
    FIRST_FACTOR_TYPE_PROVIDER: _ClassVar[FirstFactorType]

class EnrolmentType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENROLMENT_TYPE_UNSPECIFIED: _ClassVar[EnrolmentType]
    ENROLMENT_TYPE_EMAIL: _ClassVar[EnrolmentType]
    ENROLMENT_TYPE_PASSWORD: _ClassVar[EnrolmentType]

class SecondFactorType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SECOND_FACTOR_TYPE_UNSPECIFIED: _ClassVar[SecondFactorType]
    SECOND_FACTOR_TYPE_OTP: _ClassVar[SecondFactorType]
    SECOND_FACTOR_TYPE_U2F: _ClassVar[SecondFactorType]
    SECOND_FACTOR_TYPE_OTP_EMAIL: _ClassVar[SecondFactorType]
    SECOND_FACTOR_TYPE_OTP_SMS: _ClassVar[SecondFactorType]

class MultiFactorType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MULTI_FACTOR_TYPE_UNSPECIFIED: _ClassVar[MultiFactorType]
    MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION: _ClassVar[MultiFactorType]

class LogoTheme(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LOGO_THEME_UNSPECIFIED: _ClassVar[LogoTheme]
    LOGO_THEME_LIGHT: _ClassVar[LogoTheme]
    LOGO_THEME_DARK: _ClassVar[LogoTheme]
PLACE_ACTION_UNSPECIFIED: PlaceAction
PLACE_ACTION_ALLOW: PlaceAction
PLACE_ACTION_SECOND_FACTOR: PlaceAction
PLACE_ACTION_REFUSE: PlaceAction
FIRST_FACTOR_TYPE_UNSPECIFIED: FirstFactorType
FIRST_FACTOR_TYPE_PASSWORD: FirstFactorType
FIRST_FACTOR_TYPE_PASSKEY: FirstFactorType
FIRST_FACTOR_TYPE_EMAIL_CODE: FirstFactorType
FIRST_FACTOR_TYPE_PROVIDER: FirstFactorType
ENROLMENT_TYPE_UNSPECIFIED: EnrolmentType
ENROLMENT_TYPE_EMAIL: EnrolmentType
ENROLMENT_TYPE_PASSWORD: EnrolmentType
SECOND_FACTOR_TYPE_UNSPECIFIED: SecondFactorType
SECOND_FACTOR_TYPE_OTP: SecondFactorType
SECOND_FACTOR_TYPE_U2F: SecondFactorType
SECOND_FACTOR_TYPE_OTP_EMAIL: SecondFactorType
SECOND_FACTOR_TYPE_OTP_SMS: SecondFactorType
MULTI_FACTOR_TYPE_UNSPECIFIED: MultiFactorType
MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION: MultiFactorType
LOGO_THEME_UNSPECIFIED: LogoTheme
LOGO_THEME_LIGHT: LogoTheme
LOGO_THEME_DARK: LogoTheme

class GetPolicyRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ResetPolicyRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PolicyChangedResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class LoginPolicy(_message.Message):
    __slots__ = ("details", "allow_register", "verified_email_required", "idps", "is_default", "force_mfa", "hide_password_reset", "second_factors", "multi_factors", "allow_external_idp", "enrolment", "allow_email_code_sign_in", "allow_device_authorization", "trusted_device_days", "device_authorization_in_force", "allow_account_deletion", "first_factors", "exempt_instance_owners", "redirect_to_provider", "join_by_domain", "sign_in_from")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    ALLOW_REGISTER_FIELD_NUMBER: _ClassVar[int]
    VERIFIED_EMAIL_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    IDPS_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    FORCE_MFA_FIELD_NUMBER: _ClassVar[int]
    HIDE_PASSWORD_RESET_FIELD_NUMBER: _ClassVar[int]
    SECOND_FACTORS_FIELD_NUMBER: _ClassVar[int]
    MULTI_FACTORS_FIELD_NUMBER: _ClassVar[int]
    ALLOW_EXTERNAL_IDP_FIELD_NUMBER: _ClassVar[int]
    ENROLMENT_FIELD_NUMBER: _ClassVar[int]
    ALLOW_EMAIL_CODE_SIGN_IN_FIELD_NUMBER: _ClassVar[int]
    ALLOW_DEVICE_AUTHORIZATION_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_DEVICE_DAYS_FIELD_NUMBER: _ClassVar[int]
    DEVICE_AUTHORIZATION_IN_FORCE_FIELD_NUMBER: _ClassVar[int]
    ALLOW_ACCOUNT_DELETION_FIELD_NUMBER: _ClassVar[int]
    FIRST_FACTORS_FIELD_NUMBER: _ClassVar[int]
    EXEMPT_INSTANCE_OWNERS_FIELD_NUMBER: _ClassVar[int]
    REDIRECT_TO_PROVIDER_FIELD_NUMBER: _ClassVar[int]
    JOIN_BY_DOMAIN_FIELD_NUMBER: _ClassVar[int]
    SIGN_IN_FROM_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    allow_register: bool
    verified_email_required: bool
    idps: _containers.RepeatedCompositeFieldContainer[IDPLoginPolicyLink]
    is_default: bool
    force_mfa: bool
    hide_password_reset: bool
    second_factors: _containers.RepeatedScalarFieldContainer[SecondFactorType]
    multi_factors: _containers.RepeatedScalarFieldContainer[MultiFactorType]
    allow_external_idp: bool
    enrolment: EnrolmentType
    allow_email_code_sign_in: bool
    allow_device_authorization: bool
    trusted_device_days: int
    device_authorization_in_force: bool
    allow_account_deletion: bool
    first_factors: FirstFactors
    exempt_instance_owners: bool
    redirect_to_provider: bool
    join_by_domain: bool
    sign_in_from: SignInFrom
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., allow_register: _Optional[bool] = ..., verified_email_required: _Optional[bool] = ..., idps: _Optional[_Iterable[_Union[IDPLoginPolicyLink, _Mapping]]] = ..., is_default: _Optional[bool] = ..., force_mfa: _Optional[bool] = ..., hide_password_reset: _Optional[bool] = ..., second_factors: _Optional[_Iterable[_Union[SecondFactorType, str]]] = ..., multi_factors: _Optional[_Iterable[_Union[MultiFactorType, str]]] = ..., allow_external_idp: _Optional[bool] = ..., enrolment: _Optional[_Union[EnrolmentType, str]] = ..., allow_email_code_sign_in: _Optional[bool] = ..., allow_device_authorization: _Optional[bool] = ..., trusted_device_days: _Optional[int] = ..., device_authorization_in_force: _Optional[bool] = ..., allow_account_deletion: _Optional[bool] = ..., first_factors: _Optional[_Union[FirstFactors, _Mapping]] = ..., exempt_instance_owners: _Optional[bool] = ..., redirect_to_provider: _Optional[bool] = ..., join_by_domain: _Optional[bool] = ..., sign_in_from: _Optional[_Union[SignInFrom, _Mapping]] = ...) -> None: ...

class SignInFrom(_message.Message):
    __slots__ = ("rules", "elsewhere", "unrestricted")
    RULES_FIELD_NUMBER: _ClassVar[int]
    ELSEWHERE_FIELD_NUMBER: _ClassVar[int]
    UNRESTRICTED_FIELD_NUMBER: _ClassVar[int]
    rules: _containers.RepeatedCompositeFieldContainer[PlaceRule]
    elsewhere: PlaceAction
    unrestricted: bool
    def __init__(self, rules: _Optional[_Iterable[_Union[PlaceRule, _Mapping]]] = ..., elsewhere: _Optional[_Union[PlaceAction, str]] = ..., unrestricted: _Optional[bool] = ...) -> None: ...

class PlaceRule(_message.Message):
    __slots__ = ("action", "networks", "countries")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    NETWORKS_FIELD_NUMBER: _ClassVar[int]
    COUNTRIES_FIELD_NUMBER: _ClassVar[int]
    action: PlaceAction
    networks: _containers.RepeatedScalarFieldContainer[str]
    countries: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, action: _Optional[_Union[PlaceAction, str]] = ..., networks: _Optional[_Iterable[str]] = ..., countries: _Optional[_Iterable[str]] = ...) -> None: ...

class FirstFactors(_message.Message):
    __slots__ = ("types", "unrestricted")
    TYPES_FIELD_NUMBER: _ClassVar[int]
    UNRESTRICTED_FIELD_NUMBER: _ClassVar[int]
    types: _containers.RepeatedScalarFieldContainer[FirstFactorType]
    unrestricted: bool
    def __init__(self, types: _Optional[_Iterable[_Union[FirstFactorType, str]]] = ..., unrestricted: _Optional[bool] = ...) -> None: ...

class IDPLoginPolicyLink(_message.Message):
    __slots__ = ("idp_id", "idp_name", "owner_type", "state")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    IDP_NAME_FIELD_NUMBER: _ClassVar[int]
    OWNER_TYPE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    idp_name: str
    owner_type: _idp_pb2.IDPOwnerType
    state: _idp_pb2.IDPState
    def __init__(self, idp_id: _Optional[str] = ..., idp_name: _Optional[str] = ..., owner_type: _Optional[_Union[_idp_pb2.IDPOwnerType, str]] = ..., state: _Optional[_Union[_idp_pb2.IDPState, str]] = ...) -> None: ...

class GetLoginPolicyResponse(_message.Message):
    __slots__ = ("policy",)
    POLICY_FIELD_NUMBER: _ClassVar[int]
    policy: LoginPolicy
    def __init__(self, policy: _Optional[_Union[LoginPolicy, _Mapping]] = ...) -> None: ...

class SetLoginPolicyRequest(_message.Message):
    __slots__ = ("allow_register", "verified_email_required", "force_mfa", "hide_password_reset", "allow_external_idp", "enrolment", "allow_email_code_sign_in", "allow_device_authorization", "trusted_device_days", "allow_account_deletion", "first_factors", "exempt_instance_owners", "redirect_to_provider", "join_by_domain", "sign_in_from", "details", "is_default", "idps", "second_factors", "multi_factors")
    ALLOW_REGISTER_FIELD_NUMBER: _ClassVar[int]
    VERIFIED_EMAIL_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    FORCE_MFA_FIELD_NUMBER: _ClassVar[int]
    HIDE_PASSWORD_RESET_FIELD_NUMBER: _ClassVar[int]
    ALLOW_EXTERNAL_IDP_FIELD_NUMBER: _ClassVar[int]
    ENROLMENT_FIELD_NUMBER: _ClassVar[int]
    ALLOW_EMAIL_CODE_SIGN_IN_FIELD_NUMBER: _ClassVar[int]
    ALLOW_DEVICE_AUTHORIZATION_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_DEVICE_DAYS_FIELD_NUMBER: _ClassVar[int]
    ALLOW_ACCOUNT_DELETION_FIELD_NUMBER: _ClassVar[int]
    FIRST_FACTORS_FIELD_NUMBER: _ClassVar[int]
    EXEMPT_INSTANCE_OWNERS_FIELD_NUMBER: _ClassVar[int]
    REDIRECT_TO_PROVIDER_FIELD_NUMBER: _ClassVar[int]
    JOIN_BY_DOMAIN_FIELD_NUMBER: _ClassVar[int]
    SIGN_IN_FROM_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    IDPS_FIELD_NUMBER: _ClassVar[int]
    SECOND_FACTORS_FIELD_NUMBER: _ClassVar[int]
    MULTI_FACTORS_FIELD_NUMBER: _ClassVar[int]
    allow_register: bool
    verified_email_required: bool
    force_mfa: bool
    hide_password_reset: bool
    allow_external_idp: bool
    enrolment: EnrolmentType
    allow_email_code_sign_in: bool
    allow_device_authorization: bool
    trusted_device_days: int
    allow_account_deletion: bool
    first_factors: FirstFactors
    exempt_instance_owners: bool
    redirect_to_provider: bool
    join_by_domain: bool
    sign_in_from: SignInFrom
    details: _object_pb2.ObjectDetails
    is_default: bool
    idps: _containers.RepeatedCompositeFieldContainer[IDPLoginPolicyLink]
    second_factors: _containers.RepeatedScalarFieldContainer[SecondFactorType]
    multi_factors: _containers.RepeatedScalarFieldContainer[MultiFactorType]
    def __init__(self, allow_register: _Optional[bool] = ..., verified_email_required: _Optional[bool] = ..., force_mfa: _Optional[bool] = ..., hide_password_reset: _Optional[bool] = ..., allow_external_idp: _Optional[bool] = ..., enrolment: _Optional[_Union[EnrolmentType, str]] = ..., allow_email_code_sign_in: _Optional[bool] = ..., allow_device_authorization: _Optional[bool] = ..., trusted_device_days: _Optional[int] = ..., allow_account_deletion: _Optional[bool] = ..., first_factors: _Optional[_Union[FirstFactors, _Mapping]] = ..., exempt_instance_owners: _Optional[bool] = ..., redirect_to_provider: _Optional[bool] = ..., join_by_domain: _Optional[bool] = ..., sign_in_from: _Optional[_Union[SignInFrom, _Mapping]] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., is_default: _Optional[bool] = ..., idps: _Optional[_Iterable[_Union[IDPLoginPolicyLink, _Mapping]]] = ..., second_factors: _Optional[_Iterable[_Union[SecondFactorType, str]]] = ..., multi_factors: _Optional[_Iterable[_Union[MultiFactorType, str]]] = ...) -> None: ...

class AddIDPToLoginPolicyRequest(_message.Message):
    __slots__ = ("idp_id", "owner_type")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    OWNER_TYPE_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    owner_type: _idp_pb2.IDPOwnerType
    def __init__(self, idp_id: _Optional[str] = ..., owner_type: _Optional[_Union[_idp_pb2.IDPOwnerType, str]] = ...) -> None: ...

class RemoveIDPFromLoginPolicyRequest(_message.Message):
    __slots__ = ("idp_id",)
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    def __init__(self, idp_id: _Optional[str] = ...) -> None: ...

class ListLoginPolicyIDPsRequest(_message.Message):
    __slots__ = ("query",)
    QUERY_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ...) -> None: ...

class ListLoginPolicyIDPsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[IDPLoginPolicyLink]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[IDPLoginPolicyLink, _Mapping]]] = ...) -> None: ...

class AddSecondFactorToLoginPolicyRequest(_message.Message):
    __slots__ = ("type",)
    TYPE_FIELD_NUMBER: _ClassVar[int]
    type: SecondFactorType
    def __init__(self, type: _Optional[_Union[SecondFactorType, str]] = ...) -> None: ...

class RemoveSecondFactorFromLoginPolicyRequest(_message.Message):
    __slots__ = ("type",)
    TYPE_FIELD_NUMBER: _ClassVar[int]
    type: SecondFactorType
    def __init__(self, type: _Optional[_Union[SecondFactorType, str]] = ...) -> None: ...

class ListLoginPolicySecondFactorsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListLoginPolicySecondFactorsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedScalarFieldContainer[SecondFactorType]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[SecondFactorType, str]]] = ...) -> None: ...

class AddMultiFactorToLoginPolicyRequest(_message.Message):
    __slots__ = ("type",)
    TYPE_FIELD_NUMBER: _ClassVar[int]
    type: MultiFactorType
    def __init__(self, type: _Optional[_Union[MultiFactorType, str]] = ...) -> None: ...

class RemoveMultiFactorFromLoginPolicyRequest(_message.Message):
    __slots__ = ("type",)
    TYPE_FIELD_NUMBER: _ClassVar[int]
    type: MultiFactorType
    def __init__(self, type: _Optional[_Union[MultiFactorType, str]] = ...) -> None: ...

class ListLoginPolicyMultiFactorsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListLoginPolicyMultiFactorsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedScalarFieldContainer[MultiFactorType]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[MultiFactorType, str]]] = ...) -> None: ...

class PasswordComplexityPolicy(_message.Message):
    __slots__ = ("details", "min_length", "has_uppercase", "has_lowercase", "has_number", "has_symbol", "is_default", "refuse_breached")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    MIN_LENGTH_FIELD_NUMBER: _ClassVar[int]
    HAS_UPPERCASE_FIELD_NUMBER: _ClassVar[int]
    HAS_LOWERCASE_FIELD_NUMBER: _ClassVar[int]
    HAS_NUMBER_FIELD_NUMBER: _ClassVar[int]
    HAS_SYMBOL_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    REFUSE_BREACHED_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    min_length: int
    has_uppercase: bool
    has_lowercase: bool
    has_number: bool
    has_symbol: bool
    is_default: bool
    refuse_breached: bool
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., min_length: _Optional[int] = ..., has_uppercase: _Optional[bool] = ..., has_lowercase: _Optional[bool] = ..., has_number: _Optional[bool] = ..., has_symbol: _Optional[bool] = ..., is_default: _Optional[bool] = ..., refuse_breached: _Optional[bool] = ...) -> None: ...

class GetPasswordComplexityPolicyResponse(_message.Message):
    __slots__ = ("policy",)
    POLICY_FIELD_NUMBER: _ClassVar[int]
    policy: PasswordComplexityPolicy
    def __init__(self, policy: _Optional[_Union[PasswordComplexityPolicy, _Mapping]] = ...) -> None: ...

class SetPasswordComplexityPolicyRequest(_message.Message):
    __slots__ = ("min_length", "has_uppercase", "has_lowercase", "has_number", "has_symbol", "refuse_breached", "details", "is_default")
    MIN_LENGTH_FIELD_NUMBER: _ClassVar[int]
    HAS_UPPERCASE_FIELD_NUMBER: _ClassVar[int]
    HAS_LOWERCASE_FIELD_NUMBER: _ClassVar[int]
    HAS_NUMBER_FIELD_NUMBER: _ClassVar[int]
    HAS_SYMBOL_FIELD_NUMBER: _ClassVar[int]
    REFUSE_BREACHED_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    min_length: int
    has_uppercase: bool
    has_lowercase: bool
    has_number: bool
    has_symbol: bool
    refuse_breached: bool
    details: _object_pb2.ObjectDetails
    is_default: bool
    def __init__(self, min_length: _Optional[int] = ..., has_uppercase: _Optional[bool] = ..., has_lowercase: _Optional[bool] = ..., has_number: _Optional[bool] = ..., has_symbol: _Optional[bool] = ..., refuse_breached: _Optional[bool] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., is_default: _Optional[bool] = ...) -> None: ...

class PasswordAgePolicy(_message.Message):
    __slots__ = ("details", "max_age_days", "expire_warn_days", "is_default")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    MAX_AGE_DAYS_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_WARN_DAYS_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    max_age_days: int
    expire_warn_days: int
    is_default: bool
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., max_age_days: _Optional[int] = ..., expire_warn_days: _Optional[int] = ..., is_default: _Optional[bool] = ...) -> None: ...

class GetPasswordAgePolicyResponse(_message.Message):
    __slots__ = ("policy",)
    POLICY_FIELD_NUMBER: _ClassVar[int]
    policy: PasswordAgePolicy
    def __init__(self, policy: _Optional[_Union[PasswordAgePolicy, _Mapping]] = ...) -> None: ...

class SetPasswordAgePolicyRequest(_message.Message):
    __slots__ = ("max_age_days", "expire_warn_days", "details", "is_default")
    MAX_AGE_DAYS_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_WARN_DAYS_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    max_age_days: int
    expire_warn_days: int
    details: _object_pb2.ObjectDetails
    is_default: bool
    def __init__(self, max_age_days: _Optional[int] = ..., expire_warn_days: _Optional[int] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., is_default: _Optional[bool] = ...) -> None: ...

class LockoutPolicy(_message.Message):
    __slots__ = ("details", "max_password_attempts", "is_default")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    MAX_PASSWORD_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    max_password_attempts: int
    is_default: bool
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., max_password_attempts: _Optional[int] = ..., is_default: _Optional[bool] = ...) -> None: ...

class GetLockoutPolicyResponse(_message.Message):
    __slots__ = ("policy",)
    POLICY_FIELD_NUMBER: _ClassVar[int]
    policy: LockoutPolicy
    def __init__(self, policy: _Optional[_Union[LockoutPolicy, _Mapping]] = ...) -> None: ...

class SetLockoutPolicyRequest(_message.Message):
    __slots__ = ("max_password_attempts", "details", "is_default")
    MAX_PASSWORD_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    max_password_attempts: int
    details: _object_pb2.ObjectDetails
    is_default: bool
    def __init__(self, max_password_attempts: _Optional[int] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., is_default: _Optional[bool] = ...) -> None: ...

class PrivacyPolicy(_message.Message):
    __slots__ = ("details", "tos_link", "privacy_link", "help_link", "support_email", "is_default")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    TOS_LINK_FIELD_NUMBER: _ClassVar[int]
    PRIVACY_LINK_FIELD_NUMBER: _ClassVar[int]
    HELP_LINK_FIELD_NUMBER: _ClassVar[int]
    SUPPORT_EMAIL_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    tos_link: str
    privacy_link: str
    help_link: str
    support_email: str
    is_default: bool
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., tos_link: _Optional[str] = ..., privacy_link: _Optional[str] = ..., help_link: _Optional[str] = ..., support_email: _Optional[str] = ..., is_default: _Optional[bool] = ...) -> None: ...

class GetPrivacyPolicyResponse(_message.Message):
    __slots__ = ("policy",)
    POLICY_FIELD_NUMBER: _ClassVar[int]
    policy: PrivacyPolicy
    def __init__(self, policy: _Optional[_Union[PrivacyPolicy, _Mapping]] = ...) -> None: ...

class SetPrivacyPolicyRequest(_message.Message):
    __slots__ = ("tos_link", "privacy_link", "help_link", "support_email", "details", "is_default")
    TOS_LINK_FIELD_NUMBER: _ClassVar[int]
    PRIVACY_LINK_FIELD_NUMBER: _ClassVar[int]
    HELP_LINK_FIELD_NUMBER: _ClassVar[int]
    SUPPORT_EMAIL_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    tos_link: str
    privacy_link: str
    help_link: str
    support_email: str
    details: _object_pb2.ObjectDetails
    is_default: bool
    def __init__(self, tos_link: _Optional[str] = ..., privacy_link: _Optional[str] = ..., help_link: _Optional[str] = ..., support_email: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., is_default: _Optional[bool] = ...) -> None: ...

class LabelPolicy(_message.Message):
    __slots__ = ("details", "primary_color", "background_color", "warn_color", "font_color", "primary_color_dark", "background_color_dark", "warn_color_dark", "font_color_dark", "hide_login_name_suffix", "is_default", "disable_watermark", "font_family", "logo_url", "logo_url_dark")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_COLOR_FIELD_NUMBER: _ClassVar[int]
    BACKGROUND_COLOR_FIELD_NUMBER: _ClassVar[int]
    WARN_COLOR_FIELD_NUMBER: _ClassVar[int]
    FONT_COLOR_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_COLOR_DARK_FIELD_NUMBER: _ClassVar[int]
    BACKGROUND_COLOR_DARK_FIELD_NUMBER: _ClassVar[int]
    WARN_COLOR_DARK_FIELD_NUMBER: _ClassVar[int]
    FONT_COLOR_DARK_FIELD_NUMBER: _ClassVar[int]
    HIDE_LOGIN_NAME_SUFFIX_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    DISABLE_WATERMARK_FIELD_NUMBER: _ClassVar[int]
    FONT_FAMILY_FIELD_NUMBER: _ClassVar[int]
    LOGO_URL_FIELD_NUMBER: _ClassVar[int]
    LOGO_URL_DARK_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    primary_color: str
    background_color: str
    warn_color: str
    font_color: str
    primary_color_dark: str
    background_color_dark: str
    warn_color_dark: str
    font_color_dark: str
    hide_login_name_suffix: bool
    is_default: bool
    disable_watermark: bool
    font_family: str
    logo_url: str
    logo_url_dark: str
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., primary_color: _Optional[str] = ..., background_color: _Optional[str] = ..., warn_color: _Optional[str] = ..., font_color: _Optional[str] = ..., primary_color_dark: _Optional[str] = ..., background_color_dark: _Optional[str] = ..., warn_color_dark: _Optional[str] = ..., font_color_dark: _Optional[str] = ..., hide_login_name_suffix: _Optional[bool] = ..., is_default: _Optional[bool] = ..., disable_watermark: _Optional[bool] = ..., font_family: _Optional[str] = ..., logo_url: _Optional[str] = ..., logo_url_dark: _Optional[str] = ...) -> None: ...

class GetLabelPolicyResponse(_message.Message):
    __slots__ = ("policy",)
    POLICY_FIELD_NUMBER: _ClassVar[int]
    policy: LabelPolicy
    def __init__(self, policy: _Optional[_Union[LabelPolicy, _Mapping]] = ...) -> None: ...

class SetLabelPolicyRequest(_message.Message):
    __slots__ = ("primary_color", "background_color", "warn_color", "font_color", "primary_color_dark", "background_color_dark", "warn_color_dark", "font_color_dark", "hide_login_name_suffix", "disable_watermark", "font_family", "details", "is_default", "logo_url", "logo_url_dark")
    PRIMARY_COLOR_FIELD_NUMBER: _ClassVar[int]
    BACKGROUND_COLOR_FIELD_NUMBER: _ClassVar[int]
    WARN_COLOR_FIELD_NUMBER: _ClassVar[int]
    FONT_COLOR_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_COLOR_DARK_FIELD_NUMBER: _ClassVar[int]
    BACKGROUND_COLOR_DARK_FIELD_NUMBER: _ClassVar[int]
    WARN_COLOR_DARK_FIELD_NUMBER: _ClassVar[int]
    FONT_COLOR_DARK_FIELD_NUMBER: _ClassVar[int]
    HIDE_LOGIN_NAME_SUFFIX_FIELD_NUMBER: _ClassVar[int]
    DISABLE_WATERMARK_FIELD_NUMBER: _ClassVar[int]
    FONT_FAMILY_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    LOGO_URL_FIELD_NUMBER: _ClassVar[int]
    LOGO_URL_DARK_FIELD_NUMBER: _ClassVar[int]
    primary_color: str
    background_color: str
    warn_color: str
    font_color: str
    primary_color_dark: str
    background_color_dark: str
    warn_color_dark: str
    font_color_dark: str
    hide_login_name_suffix: bool
    disable_watermark: bool
    font_family: str
    details: _object_pb2.ObjectDetails
    is_default: bool
    logo_url: str
    logo_url_dark: str
    def __init__(self, primary_color: _Optional[str] = ..., background_color: _Optional[str] = ..., warn_color: _Optional[str] = ..., font_color: _Optional[str] = ..., primary_color_dark: _Optional[str] = ..., background_color_dark: _Optional[str] = ..., warn_color_dark: _Optional[str] = ..., font_color_dark: _Optional[str] = ..., hide_login_name_suffix: _Optional[bool] = ..., disable_watermark: _Optional[bool] = ..., font_family: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., is_default: _Optional[bool] = ..., logo_url: _Optional[str] = ..., logo_url_dark: _Optional[str] = ...) -> None: ...

class SetLabelPolicyLogoRequest(_message.Message):
    __slots__ = ("theme", "logo")
    THEME_FIELD_NUMBER: _ClassVar[int]
    LOGO_FIELD_NUMBER: _ClassVar[int]
    theme: LogoTheme
    logo: bytes
    def __init__(self, theme: _Optional[_Union[LogoTheme, str]] = ..., logo: _Optional[bytes] = ...) -> None: ...

class RemoveLabelPolicyLogoRequest(_message.Message):
    __slots__ = ("theme",)
    THEME_FIELD_NUMBER: _ClassVar[int]
    theme: LogoTheme
    def __init__(self, theme: _Optional[_Union[LogoTheme, str]] = ...) -> None: ...

class TextPolicy(_message.Message):
    __slots__ = ("details", "texts", "is_default")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    texts: _containers.RepeatedCompositeFieldContainer[OwnTexts]
    is_default: bool
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., texts: _Optional[_Iterable[_Union[OwnTexts, _Mapping]]] = ..., is_default: _Optional[bool] = ...) -> None: ...

class OwnTexts(_message.Message):
    __slots__ = ("language", "sign_in_title", "sign_in_text", "email_text")
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    SIGN_IN_TITLE_FIELD_NUMBER: _ClassVar[int]
    SIGN_IN_TEXT_FIELD_NUMBER: _ClassVar[int]
    EMAIL_TEXT_FIELD_NUMBER: _ClassVar[int]
    language: str
    sign_in_title: str
    sign_in_text: str
    email_text: str
    def __init__(self, language: _Optional[str] = ..., sign_in_title: _Optional[str] = ..., sign_in_text: _Optional[str] = ..., email_text: _Optional[str] = ...) -> None: ...

class GetTextPolicyResponse(_message.Message):
    __slots__ = ("policy",)
    POLICY_FIELD_NUMBER: _ClassVar[int]
    policy: TextPolicy
    def __init__(self, policy: _Optional[_Union[TextPolicy, _Mapping]] = ...) -> None: ...

class SetTextPolicyRequest(_message.Message):
    __slots__ = ("texts", "details", "is_default")
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    texts: _containers.RepeatedCompositeFieldContainer[OwnTexts]
    details: _object_pb2.ObjectDetails
    is_default: bool
    def __init__(self, texts: _Optional[_Iterable[_Union[OwnTexts, _Mapping]]] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., is_default: _Optional[bool] = ...) -> None: ...

class ClientMetadataPolicy(_message.Message):
    __slots__ = ("details", "hosts", "project_id", "is_default")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    HOSTS_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    hosts: _containers.RepeatedScalarFieldContainer[str]
    project_id: str
    is_default: bool
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., hosts: _Optional[_Iterable[str]] = ..., project_id: _Optional[str] = ..., is_default: _Optional[bool] = ...) -> None: ...

class GetClientMetadataPolicyResponse(_message.Message):
    __slots__ = ("policy",)
    POLICY_FIELD_NUMBER: _ClassVar[int]
    policy: ClientMetadataPolicy
    def __init__(self, policy: _Optional[_Union[ClientMetadataPolicy, _Mapping]] = ...) -> None: ...

class SetClientMetadataPolicyRequest(_message.Message):
    __slots__ = ("hosts", "project_id", "details", "is_default")
    HOSTS_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    hosts: _containers.RepeatedScalarFieldContainer[str]
    project_id: str
    details: _object_pb2.ObjectDetails
    is_default: bool
    def __init__(self, hosts: _Optional[_Iterable[str]] = ..., project_id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., is_default: _Optional[bool] = ...) -> None: ...

class MetadataApp(_message.Message):
    __slots__ = ("id", "project_id", "client_id", "name", "host", "state", "first_used", "last_used", "users", "org_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    FIRST_USED_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_FIELD_NUMBER: _ClassVar[int]
    USERS_FIELD_NUMBER: _ClassVar[int]
    ORG_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    project_id: str
    client_id: str
    name: str
    host: str
    state: _app_pb2.AppState
    first_used: _timestamp_pb2.Timestamp
    last_used: _timestamp_pb2.Timestamp
    users: int
    org_id: str
    def __init__(self, id: _Optional[str] = ..., project_id: _Optional[str] = ..., client_id: _Optional[str] = ..., name: _Optional[str] = ..., host: _Optional[str] = ..., state: _Optional[_Union[_app_pb2.AppState, str]] = ..., first_used: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_used: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., users: _Optional[int] = ..., org_id: _Optional[str] = ...) -> None: ...

class ListMetadataAppsRequest(_message.Message):
    __slots__ = ("query",)
    QUERY_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ...) -> None: ...

class ListMetadataAppsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[MetadataApp]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[MetadataApp, _Mapping]]] = ...) -> None: ...

class CountAffectedUsersRequest(_message.Message):
    __slots__ = ("second_factors", "multi_factors", "max_age_days", "first_factors", "idp_ids", "inherited", "sign_in_from")
    SECOND_FACTORS_FIELD_NUMBER: _ClassVar[int]
    MULTI_FACTORS_FIELD_NUMBER: _ClassVar[int]
    MAX_AGE_DAYS_FIELD_NUMBER: _ClassVar[int]
    FIRST_FACTORS_FIELD_NUMBER: _ClassVar[int]
    IDP_IDS_FIELD_NUMBER: _ClassVar[int]
    INHERITED_FIELD_NUMBER: _ClassVar[int]
    SIGN_IN_FROM_FIELD_NUMBER: _ClassVar[int]
    second_factors: _containers.RepeatedScalarFieldContainer[SecondFactorType]
    multi_factors: _containers.RepeatedScalarFieldContainer[MultiFactorType]
    max_age_days: int
    first_factors: _containers.RepeatedScalarFieldContainer[FirstFactorType]
    idp_ids: _containers.RepeatedScalarFieldContainer[str]
    inherited: bool
    sign_in_from: SignInFrom
    def __init__(self, second_factors: _Optional[_Iterable[_Union[SecondFactorType, str]]] = ..., multi_factors: _Optional[_Iterable[_Union[MultiFactorType, str]]] = ..., max_age_days: _Optional[int] = ..., first_factors: _Optional[_Iterable[_Union[FirstFactorType, str]]] = ..., idp_ids: _Optional[_Iterable[str]] = ..., inherited: _Optional[bool] = ..., sign_in_from: _Optional[_Union[SignInFrom, _Mapping]] = ...) -> None: ...

class CountAffectedUsersResponse(_message.Message):
    __slots__ = ("counted", "without_factor", "without_factor_or_verified_email", "without_verified_email", "only_passkey", "only_provider", "expired_passwords", "without_first_factor", "caller_without_first_factor", "login_names", "caller_place")
    COUNTED_FIELD_NUMBER: _ClassVar[int]
    WITHOUT_FACTOR_FIELD_NUMBER: _ClassVar[int]
    WITHOUT_FACTOR_OR_VERIFIED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    WITHOUT_VERIFIED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    ONLY_PASSKEY_FIELD_NUMBER: _ClassVar[int]
    ONLY_PROVIDER_FIELD_NUMBER: _ClassVar[int]
    EXPIRED_PASSWORDS_FIELD_NUMBER: _ClassVar[int]
    WITHOUT_FIRST_FACTOR_FIELD_NUMBER: _ClassVar[int]
    CALLER_WITHOUT_FIRST_FACTOR_FIELD_NUMBER: _ClassVar[int]
    LOGIN_NAMES_FIELD_NUMBER: _ClassVar[int]
    CALLER_PLACE_FIELD_NUMBER: _ClassVar[int]
    counted: int
    without_factor: int
    without_factor_or_verified_email: int
    without_verified_email: int
    only_passkey: int
    only_provider: int
    expired_passwords: int
    without_first_factor: int
    caller_without_first_factor: bool
    login_names: _containers.RepeatedScalarFieldContainer[str]
    caller_place: CallerPlace
    def __init__(self, counted: _Optional[int] = ..., without_factor: _Optional[int] = ..., without_factor_or_verified_email: _Optional[int] = ..., without_verified_email: _Optional[int] = ..., only_passkey: _Optional[int] = ..., only_provider: _Optional[int] = ..., expired_passwords: _Optional[int] = ..., without_first_factor: _Optional[int] = ..., caller_without_first_factor: _Optional[bool] = ..., login_names: _Optional[_Iterable[str]] = ..., caller_place: _Optional[_Union[CallerPlace, _Mapping]] = ...) -> None: ...

class CallerPlace(_message.Message):
    __slots__ = ("address", "country", "action", "rule")
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    COUNTRY_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    address: str
    country: str
    action: PlaceAction
    rule: str
    def __init__(self, address: _Optional[str] = ..., country: _Optional[str] = ..., action: _Optional[_Union[PlaceAction, str]] = ..., rule: _Optional[str] = ...) -> None: ...

import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.user.v2 import user_pb2 as _user_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class User(_message.Message):
    __slots__ = ("id", "details", "state", "user_name", "login_names", "preferred_login_name", "human", "machine")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    LOGIN_NAMES_FIELD_NUMBER: _ClassVar[int]
    PREFERRED_LOGIN_NAME_FIELD_NUMBER: _ClassVar[int]
    HUMAN_FIELD_NUMBER: _ClassVar[int]
    MACHINE_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    state: _user_pb2.UserState
    user_name: str
    login_names: _containers.RepeatedScalarFieldContainer[str]
    preferred_login_name: str
    human: Human
    machine: _user_pb2.MachineUser
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., state: _Optional[_Union[_user_pb2.UserState, str]] = ..., user_name: _Optional[str] = ..., login_names: _Optional[_Iterable[str]] = ..., preferred_login_name: _Optional[str] = ..., human: _Optional[_Union[Human, _Mapping]] = ..., machine: _Optional[_Union[_user_pb2.MachineUser, _Mapping]] = ...) -> None: ...

class Human(_message.Message):
    __slots__ = ("profile", "email", "phone", "last_sign_in", "invitation", "group_names", "way_in")
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    LAST_SIGN_IN_FIELD_NUMBER: _ClassVar[int]
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    GROUP_NAMES_FIELD_NUMBER: _ClassVar[int]
    WAY_IN_FIELD_NUMBER: _ClassVar[int]
    profile: _user_pb2.HumanProfile
    email: Email
    phone: Phone
    last_sign_in: _timestamp_pb2.Timestamp
    invitation: _user_pb2.Invitation
    group_names: _containers.RepeatedScalarFieldContainer[str]
    way_in: _user_pb2.WayInState
    def __init__(self, profile: _Optional[_Union[_user_pb2.HumanProfile, _Mapping]] = ..., email: _Optional[_Union[Email, _Mapping]] = ..., phone: _Optional[_Union[Phone, _Mapping]] = ..., last_sign_in: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., invitation: _Optional[_Union[_user_pb2.Invitation, _Mapping]] = ..., group_names: _Optional[_Iterable[str]] = ..., way_in: _Optional[_Union[_user_pb2.WayInState, str]] = ...) -> None: ...

class Email(_message.Message):
    __slots__ = ("email", "is_email_verified")
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    IS_EMAIL_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    email: str
    is_email_verified: bool
    def __init__(self, email: _Optional[str] = ..., is_email_verified: _Optional[bool] = ...) -> None: ...

class Phone(_message.Message):
    __slots__ = ("phone", "is_phone_verified")
    PHONE_FIELD_NUMBER: _ClassVar[int]
    IS_PHONE_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    phone: str
    is_phone_verified: bool
    def __init__(self, phone: _Optional[str] = ..., is_phone_verified: _Optional[bool] = ...) -> None: ...

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from portico_contracts.generated.portico.object.v2 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.user.v2 import user_pb2 as _user_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SetEmailRequest(_message.Message):
    __slots__ = ("user_id", "email", "send_code", "return_code", "is_verified")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    SEND_CODE_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    IS_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    email: str
    send_code: _user_pb2.SendEmailVerificationCode
    return_code: _user_pb2.ReturnEmailVerificationCode
    is_verified: bool
    def __init__(self, user_id: _Optional[str] = ..., email: _Optional[str] = ..., send_code: _Optional[_Union[_user_pb2.SendEmailVerificationCode, _Mapping]] = ..., return_code: _Optional[_Union[_user_pb2.ReturnEmailVerificationCode, _Mapping]] = ..., is_verified: _Optional[bool] = ...) -> None: ...

class SetEmailResponse(_message.Message):
    __slots__ = ("details", "verification_code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    verification_code: str
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., verification_code: _Optional[str] = ...) -> None: ...

class ResendEmailCodeRequest(_message.Message):
    __slots__ = ("user_id", "send_code", "return_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SEND_CODE_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    send_code: _user_pb2.SendEmailVerificationCode
    return_code: _user_pb2.ReturnEmailVerificationCode
    def __init__(self, user_id: _Optional[str] = ..., send_code: _Optional[_Union[_user_pb2.SendEmailVerificationCode, _Mapping]] = ..., return_code: _Optional[_Union[_user_pb2.ReturnEmailVerificationCode, _Mapping]] = ...) -> None: ...

class ResendEmailCodeResponse(_message.Message):
    __slots__ = ("details", "verification_code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    verification_code: str
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., verification_code: _Optional[str] = ...) -> None: ...

class SendEmailCodeRequest(_message.Message):
    __slots__ = ("user_id", "send_code", "return_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SEND_CODE_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    send_code: _user_pb2.SendEmailVerificationCode
    return_code: _user_pb2.ReturnEmailVerificationCode
    def __init__(self, user_id: _Optional[str] = ..., send_code: _Optional[_Union[_user_pb2.SendEmailVerificationCode, _Mapping]] = ..., return_code: _Optional[_Union[_user_pb2.ReturnEmailVerificationCode, _Mapping]] = ...) -> None: ...

class SendEmailCodeResponse(_message.Message):
    __slots__ = ("details", "verification_code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    verification_code: str
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., verification_code: _Optional[str] = ...) -> None: ...

class VerifyEmailRequest(_message.Message):
    __slots__ = ("user_id", "verification_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    verification_code: str
    def __init__(self, user_id: _Optional[str] = ..., verification_code: _Optional[str] = ...) -> None: ...

class VerifyEmailResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class SetPhoneRequest(_message.Message):
    __slots__ = ("user_id", "phone", "send_code", "return_code", "is_verified")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    SEND_CODE_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    IS_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    phone: str
    send_code: _user_pb2.SendPhoneVerificationCode
    return_code: _user_pb2.ReturnPhoneVerificationCode
    is_verified: bool
    def __init__(self, user_id: _Optional[str] = ..., phone: _Optional[str] = ..., send_code: _Optional[_Union[_user_pb2.SendPhoneVerificationCode, _Mapping]] = ..., return_code: _Optional[_Union[_user_pb2.ReturnPhoneVerificationCode, _Mapping]] = ..., is_verified: _Optional[bool] = ...) -> None: ...

class SetPhoneResponse(_message.Message):
    __slots__ = ("details", "verification_code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    verification_code: str
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., verification_code: _Optional[str] = ...) -> None: ...

class ResendPhoneCodeRequest(_message.Message):
    __slots__ = ("user_id", "send_code", "return_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SEND_CODE_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    send_code: _user_pb2.SendPhoneVerificationCode
    return_code: _user_pb2.ReturnPhoneVerificationCode
    def __init__(self, user_id: _Optional[str] = ..., send_code: _Optional[_Union[_user_pb2.SendPhoneVerificationCode, _Mapping]] = ..., return_code: _Optional[_Union[_user_pb2.ReturnPhoneVerificationCode, _Mapping]] = ...) -> None: ...

class ResendPhoneCodeResponse(_message.Message):
    __slots__ = ("details", "verification_code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    verification_code: str
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., verification_code: _Optional[str] = ...) -> None: ...

class VerifyPhoneRequest(_message.Message):
    __slots__ = ("user_id", "verification_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    verification_code: str
    def __init__(self, user_id: _Optional[str] = ..., verification_code: _Optional[str] = ...) -> None: ...

class VerifyPhoneResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class RemovePhoneRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RemovePhoneResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

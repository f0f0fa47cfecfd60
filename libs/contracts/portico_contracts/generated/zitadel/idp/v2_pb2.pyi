from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AutoLinkingOption(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AUTO_LINKING_OPTION_UNSPECIFIED: _ClassVar[AutoLinkingOption]
    AUTO_LINKING_OPTION_USERNAME: _ClassVar[AutoLinkingOption]
    AUTO_LINKING_OPTION_EMAIL: _ClassVar[AutoLinkingOption]
AUTO_LINKING_OPTION_UNSPECIFIED: AutoLinkingOption
AUTO_LINKING_OPTION_USERNAME: AutoLinkingOption
AUTO_LINKING_OPTION_EMAIL: AutoLinkingOption

class Options(_message.Message):
    __slots__ = ("is_linking_allowed", "is_creation_allowed", "is_auto_creation", "is_auto_update", "auto_linking")
    IS_LINKING_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    IS_CREATION_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    IS_AUTO_CREATION_FIELD_NUMBER: _ClassVar[int]
    IS_AUTO_UPDATE_FIELD_NUMBER: _ClassVar[int]
    AUTO_LINKING_FIELD_NUMBER: _ClassVar[int]
    is_linking_allowed: bool
    is_creation_allowed: bool
    is_auto_creation: bool
    is_auto_update: bool
    auto_linking: AutoLinkingOption
    def __init__(self, is_linking_allowed: _Optional[bool] = ..., is_creation_allowed: _Optional[bool] = ..., is_auto_creation: _Optional[bool] = ..., is_auto_update: _Optional[bool] = ..., auto_linking: _Optional[_Union[AutoLinkingOption, str]] = ...) -> None: ...

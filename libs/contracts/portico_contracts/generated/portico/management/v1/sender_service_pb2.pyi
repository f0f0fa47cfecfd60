from google.api import annotations_pb2 as _annotations_pb2
from portico_contracts.generated.portico.management.v1 import sender_messages_pb2 as _sender_messages_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

from google.api import annotations_pb2 as _annotations_pb2
from portico_contracts.generated.portico.management.v1 import idp_assertions_pb2 as _idp_assertions_pb2
from portico_contracts.generated.portico.management.v1 import idp_ldap_pb2 as _idp_ldap_pb2
from portico_contracts.generated.portico.management.v1 import idp_messages_pb2 as _idp_messages_pb2
from portico_contracts.generated.portico.management.v1 import idp_presets_pb2 as _idp_presets_pb2
from portico_contracts.generated.portico.management.v1 import idp_templates_pb2 as _idp_templates_pb2
from portico_contracts.generated.portico.management.v1 import idp_tests_pb2 as _idp_tests_pb2
from portico_contracts.generated.portico.user.v2 import idp_links_pb2 as _idp_links_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

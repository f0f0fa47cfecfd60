from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from portico_contracts.generated.portico.management.v1 import app_pb2 as _app_pb2
from portico_contracts.generated.portico.management.v1 import app_service_pb2 as _app_service_pb2
from portico_contracts.generated.portico.management.v1 import claim_rule_pb2 as _claim_rule_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ProjectState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROJECT_STATE_UNSPECIFIED: _ClassVar[ProjectState]
    PROJECT_STATE_ACTIVE: _ClassVar[ProjectState]
    PROJECT_STATE_INACTIVE: _ClassVar[ProjectState]

class PrivateLabelingSetting(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PRIVATE_LABELING_SETTING_UNSPECIFIED: _ClassVar[PrivateLabelingSetting]
    PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY: _ClassVar[PrivateLabelingSetting]
    PRIVATE_LABELING_SETTING_ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY: _ClassVar[PrivateLabelingSetting]
PROJECT_STATE_UNSPECIFIED: ProjectState
PROJECT_STATE_ACTIVE: ProjectState
PROJECT_STATE_INACTIVE: ProjectState
PRIVATE_LABELING_SETTING_UNSPECIFIED: PrivateLabelingSetting
PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY: PrivateLabelingSetting
PRIVATE_LABELING_SETTING_ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY: PrivateLabelingSetting

class Project(_message.Message):
    __slots__ = ("id", "details", "name", "state", "project_role_assertion", "project_role_check", "has_project_check", "private_labeling_setting", "claim_rules")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ROLE_ASSERTION_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ROLE_CHECK_FIELD_NUMBER: _ClassVar[int]
    HAS_PROJECT_CHECK_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_LABELING_SETTING_FIELD_NUMBER: _ClassVar[int]
    CLAIM_RULES_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    name: str
    state: ProjectState
    project_role_assertion: bool
    project_role_check: bool
    has_project_check: bool
    private_labeling_setting: PrivateLabelingSetting
    claim_rules: _containers.RepeatedCompositeFieldContainer[_claim_rule_pb2.ClaimRule]
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., name: _Optional[str] = ..., state: _Optional[_Union[ProjectState, str]] = ..., project_role_assertion: _Optional[bool] = ..., project_role_check: _Optional[bool] = ..., has_project_check: _Optional[bool] = ..., private_labeling_setting: _Optional[_Union[PrivateLabelingSetting, str]] = ..., claim_rules: _Optional[_Iterable[_Union[_claim_rule_pb2.ClaimRule, _Mapping]]] = ...) -> None: ...

class ProjectRole(_message.Message):
    __slots__ = ("key", "details", "display_name", "group")
    KEY_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    key: str
    details: _object_pb2.ObjectDetails
    display_name: str
    group: str
    def __init__(self, key: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., display_name: _Optional[str] = ..., group: _Optional[str] = ...) -> None: ...

class AddProjectRequest(_message.Message):
    __slots__ = ("name", "project_role_assertion", "project_role_check", "has_project_check", "private_labeling_setting")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ROLE_ASSERTION_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ROLE_CHECK_FIELD_NUMBER: _ClassVar[int]
    HAS_PROJECT_CHECK_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_LABELING_SETTING_FIELD_NUMBER: _ClassVar[int]
    name: str
    project_role_assertion: bool
    project_role_check: bool
    has_project_check: bool
    private_labeling_setting: PrivateLabelingSetting
    def __init__(self, name: _Optional[str] = ..., project_role_assertion: _Optional[bool] = ..., project_role_check: _Optional[bool] = ..., has_project_check: _Optional[bool] = ..., private_labeling_setting: _Optional[_Union[PrivateLabelingSetting, str]] = ...) -> None: ...

class AddProjectResponse(_message.Message):
    __slots__ = ("id", "details")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class SetUpProjectRequest(_message.Message):
    __slots__ = ("name", "oidc_app", "api_app")
    class OIDCApp(_message.Message):
        __slots__ = ("name", "redirect_uris", "post_logout_redirect_uris", "response_types", "grant_types", "app_type", "auth_method_type", "roles_claim", "groups_claim", "id_token_userinfo_assertion")
        NAME_FIELD_NUMBER: _ClassVar[int]
        REDIRECT_URIS_FIELD_NUMBER: _ClassVar[int]
        POST_LOGOUT_REDIRECT_URIS_FIELD_NUMBER: _ClassVar[int]
        RESPONSE_TYPES_FIELD_NUMBER: _ClassVar[int]
        GRANT_TYPES_FIELD_NUMBER: _ClassVar[int]
        APP_TYPE_FIELD_NUMBER: _ClassVar[int]
        AUTH_METHOD_TYPE_FIELD_NUMBER: _ClassVar[int]
        ROLES_CLAIM_FIELD_NUMBER: _ClassVar[int]
        GROUPS_CLAIM_FIELD_NUMBER: _ClassVar[int]
        ID_TOKEN_USERINFO_ASSERTION_FIELD_NUMBER: _ClassVar[int]
        name: str
        redirect_uris: _containers.RepeatedScalarFieldContainer[str]
        post_logout_redirect_uris: _containers.RepeatedScalarFieldContainer[str]
        response_types: _containers.RepeatedScalarFieldContainer[_app_pb2.OIDCResponseType]
        grant_types: _containers.RepeatedScalarFieldContainer[_app_pb2.OIDCGrantType]
        app_type: _app_pb2.OIDCAppType
        auth_method_type: _app_pb2.OIDCAuthMethodType
        roles_claim: str
        groups_claim: str
        id_token_userinfo_assertion: bool
        def __init__(self, name: _Optional[str] = ..., redirect_uris: _Optional[_Iterable[str]] = ..., post_logout_redirect_uris: _Optional[_Iterable[str]] = ..., response_types: _Optional[_Iterable[_Union[_app_pb2.OIDCResponseType, str]]] = ..., grant_types: _Optional[_Iterable[_Union[_app_pb2.OIDCGrantType, str]]] = ..., app_type: _Optional[_Union[_app_pb2.OIDCAppType, str]] = ..., auth_method_type: _Optional[_Union[_app_pb2.OIDCAuthMethodType, str]] = ..., roles_claim: _Optional[str] = ..., groups_claim: _Optional[str] = ..., id_token_userinfo_assertion: _Optional[bool] = ...) -> None: ...
    class APIApp(_message.Message):
        __slots__ = ("name", "auth_method_type", "resources", "scopes")
        NAME_FIELD_NUMBER: _ClassVar[int]
        AUTH_METHOD_TYPE_FIELD_NUMBER: _ClassVar[int]
        RESOURCES_FIELD_NUMBER: _ClassVar[int]
        SCOPES_FIELD_NUMBER: _ClassVar[int]
        name: str
        auth_method_type: _app_pb2.APIAuthMethodType
        resources: _containers.RepeatedScalarFieldContainer[str]
        scopes: _containers.RepeatedCompositeFieldContainer[_app_service_pb2.APIScope]
        def __init__(self, name: _Optional[str] = ..., auth_method_type: _Optional[_Union[_app_pb2.APIAuthMethodType, str]] = ..., resources: _Optional[_Iterable[str]] = ..., scopes: _Optional[_Iterable[_Union[_app_service_pb2.APIScope, _Mapping]]] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    OIDC_APP_FIELD_NUMBER: _ClassVar[int]
    API_APP_FIELD_NUMBER: _ClassVar[int]
    name: str
    oidc_app: SetUpProjectRequest.OIDCApp
    api_app: SetUpProjectRequest.APIApp
    def __init__(self, name: _Optional[str] = ..., oidc_app: _Optional[_Union[SetUpProjectRequest.OIDCApp, _Mapping]] = ..., api_app: _Optional[_Union[SetUpProjectRequest.APIApp, _Mapping]] = ...) -> None: ...

class SetUpProjectResponse(_message.Message):
    __slots__ = ("id", "details", "app_id", "client_id", "client_secret")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    app_id: str
    client_id: str
    client_secret: str
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., app_id: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ...) -> None: ...

class GetProjectByIDRequest(_message.Message):
    __slots__ = ("project_id",)
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    def __init__(self, project_id: _Optional[str] = ...) -> None: ...

class GetProjectByIDResponse(_message.Message):
    __slots__ = ("project",)
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    project: Project
    def __init__(self, project: _Optional[_Union[Project, _Mapping]] = ...) -> None: ...

class UpdateProjectRequest(_message.Message):
    __slots__ = ("project_id", "name", "project_role_assertion", "project_role_check", "has_project_check", "private_labeling_setting")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ROLE_ASSERTION_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ROLE_CHECK_FIELD_NUMBER: _ClassVar[int]
    HAS_PROJECT_CHECK_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_LABELING_SETTING_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    name: str
    project_role_assertion: bool
    project_role_check: bool
    has_project_check: bool
    private_labeling_setting: PrivateLabelingSetting
    def __init__(self, project_id: _Optional[str] = ..., name: _Optional[str] = ..., project_role_assertion: _Optional[bool] = ..., project_role_check: _Optional[bool] = ..., has_project_check: _Optional[bool] = ..., private_labeling_setting: _Optional[_Union[PrivateLabelingSetting, str]] = ...) -> None: ...

class UpdateProjectResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class SetProjectClaimRulesRequest(_message.Message):
    __slots__ = ("project_id", "claim_rules")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    CLAIM_RULES_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    claim_rules: _containers.RepeatedCompositeFieldContainer[_claim_rule_pb2.ClaimRule]
    def __init__(self, project_id: _Optional[str] = ..., claim_rules: _Optional[_Iterable[_Union[_claim_rule_pb2.ClaimRule, _Mapping]]] = ...) -> None: ...

class SetProjectClaimRulesResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class DeactivateProjectRequest(_message.Message):
    __slots__ = ("project_id",)
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    def __init__(self, project_id: _Optional[str] = ...) -> None: ...

class DeactivateProjectResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ReactivateProjectRequest(_message.Message):
    __slots__ = ("project_id",)
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    def __init__(self, project_id: _Optional[str] = ...) -> None: ...

class ReactivateProjectResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class RemoveProjectRequest(_message.Message):
    __slots__ = ("project_id",)
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    def __init__(self, project_id: _Optional[str] = ...) -> None: ...

class RemoveProjectResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ListProjectsRequest(_message.Message):
    __slots__ = ("query", "queries")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    queries: _containers.RepeatedCompositeFieldContainer[ProjectQuery]
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., queries: _Optional[_Iterable[_Union[ProjectQuery, _Mapping]]] = ...) -> None: ...

class ListProjectsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[Project]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[Project, _Mapping]]] = ...) -> None: ...

class ProjectQuery(_message.Message):
    __slots__ = ("name_query", "words_query")
    NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    WORDS_QUERY_FIELD_NUMBER: _ClassVar[int]
    name_query: ProjectNameQuery
    words_query: _object_pb2.WordsQuery
    def __init__(self, name_query: _Optional[_Union[ProjectNameQuery, _Mapping]] = ..., words_query: _Optional[_Union[_object_pb2.WordsQuery, _Mapping]] = ...) -> None: ...

class ProjectNameQuery(_message.Message):
    __slots__ = ("name", "method")
    NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    name: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, name: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

class NewProjectRole(_message.Message):
    __slots__ = ("role_key", "display_name", "group")
    ROLE_KEY_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    role_key: str
    display_name: str
    group: str
    def __init__(self, role_key: _Optional[str] = ..., display_name: _Optional[str] = ..., group: _Optional[str] = ...) -> None: ...

class AddProjectRoleRequest(_message.Message):
    __slots__ = ("project_id", "role_key", "display_name", "group")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_KEY_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    role_key: str
    display_name: str
    group: str
    def __init__(self, project_id: _Optional[str] = ..., role_key: _Optional[str] = ..., display_name: _Optional[str] = ..., group: _Optional[str] = ...) -> None: ...

class AddProjectRoleResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class BulkAddProjectRolesRequest(_message.Message):
    __slots__ = ("project_id", "roles")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    roles: _containers.RepeatedCompositeFieldContainer[NewProjectRole]
    def __init__(self, project_id: _Optional[str] = ..., roles: _Optional[_Iterable[_Union[NewProjectRole, _Mapping]]] = ...) -> None: ...

class BulkAddProjectRolesResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class UpdateProjectRoleRequest(_message.Message):
    __slots__ = ("project_id", "role_key", "display_name", "group")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_KEY_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    role_key: str
    display_name: str
    group: str
    def __init__(self, project_id: _Optional[str] = ..., role_key: _Optional[str] = ..., display_name: _Optional[str] = ..., group: _Optional[str] = ...) -> None: ...

class UpdateProjectRoleResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class RemoveProjectRoleRequest(_message.Message):
    __slots__ = ("project_id", "role_key")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_KEY_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    role_key: str
    def __init__(self, project_id: _Optional[str] = ..., role_key: _Optional[str] = ...) -> None: ...

class RemoveProjectRoleResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ListProjectRolesRequest(_message.Message):
    __slots__ = ("project_id", "query", "queries")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    query: _object_pb2.ListQuery
    queries: _containers.RepeatedCompositeFieldContainer[ProjectRoleQuery]
    def __init__(self, project_id: _Optional[str] = ..., query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., queries: _Optional[_Iterable[_Union[ProjectRoleQuery, _Mapping]]] = ...) -> None: ...

class ListProjectRolesResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[ProjectRole]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[ProjectRole, _Mapping]]] = ...) -> None: ...

class ProjectRoleQuery(_message.Message):
    __slots__ = ("key_query", "display_name_query")
    KEY_QUERY_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    key_query: ProjectRoleKeyQuery
    display_name_query: ProjectRoleDisplayNameQuery
    def __init__(self, key_query: _Optional[_Union[ProjectRoleKeyQuery, _Mapping]] = ..., display_name_query: _Optional[_Union[ProjectRoleDisplayNameQuery, _Mapping]] = ...) -> None: ...

class ProjectRoleKeyQuery(_message.Message):
    __slots__ = ("key", "method")
    KEY_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    key: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, key: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

class ProjectRoleDisplayNameQuery(_message.Message):
    __slots__ = ("display_name", "method")
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    display_name: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, display_name: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

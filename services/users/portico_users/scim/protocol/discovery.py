"""ServiceProviderConfig, ResourceTypes and Schemas (RFC 7643 sections 5 to 7, RFC 9865 section 4)."""

from __future__ import annotations

from typing import Any, Final

from portico_contracts.apply import ScimAddress

from portico_users.scim.protocol.attributes import CORE_GROUP, CORE_USER, ENTERPRISE, Resource
from portico_users.scim.protocol.listing import DEFAULT_COUNT, LIST, MAX_COUNT
from portico_users.scim.protocol.placement import Extension, Placement

_CONFIGURATION: Final = "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"
_TYPE: Final = "urn:ietf:params:scim:schemas:core:2.0:ResourceType"
_SCHEMA: Final = "urn:ietf:params:scim:schemas:core:2.0:Schema"


def configuration(base: str) -> Resource:
    no = {"supported": False}
    return {
        "schemas": [_CONFIGURATION],
        "patch": {"supported": True},
        "bulk": {**no, "maxOperations": 0, "maxPayloadSize": 0},
        "filter": {"supported": True, "maxResults": MAX_COUNT},
        "changePassword": no,
        "sort": no,
        "etag": {"supported": True},
        "pagination": {
            "cursor": True,
            "index": True,
            "defaultPaginationMethod": "index",
            "defaultPageSize": DEFAULT_COUNT,
            "maxPageSize": MAX_COUNT,
        },
        "authenticationSchemes": [
            {
                "type": "oauthbearertoken",
                "name": "Secret of the connection",
                "description": "A secret of the SCIM connection, sent as a bearer token.",
                "specUri": "https://www.rfc-editor.org/info/rfc6750",
                "primary": True,
            }
        ],
        "meta": {"resourceType": "ServiceProviderConfig", "location": f"{base}/ServiceProviderConfig"},
    }


def resource_types(base: str, placement: Placement) -> list[Resource]:
    extensions = [{"schema": one.schema, "required": False} for one in placement.extensions.values()]
    return [
        _resource_type(base, "User", CORE_USER, "Account of a person.", extensions),
        _resource_type(base, "Group", CORE_GROUP, "Group of people.", []),
    ]


def _resource_type(base: str, name: str, schema: str, description: str, extensions: list[Resource]) -> Resource:
    return {
        "schemas": [_TYPE],
        "id": name,
        "name": name,
        "endpoint": f"/{name}s",
        "description": description,
        "schema": schema,
        "schemaExtensions": extensions,
        "meta": {"resourceType": "ResourceType", "location": f"{base}/ResourceTypes/{name}"},
    }


def schemas(base: str, placement: Placement) -> list[Resource]:
    """Without the attributes that the mapping stores nowhere, with those of the schemas that it defines."""
    own = [one for one in placement.extensions.values() if one.schema != ENTERPRISE]
    found = (
        (CORE_USER, "User", "Account of a person.", _of_users(placement)),
        (CORE_GROUP, "Group", "Group of people.", _GROUP),
        (ENTERPRISE, "EnterpriseUser", "What an employer knows of a person.", _of_enterprise(placement)),
        *(
            (one.schema, "OwnUser", "What the organization stores of a person.", _defined(one, placement))
            for one in own
        ),
    )
    return [
        {
            "schemas": [_SCHEMA],
            "id": id,
            "name": name,
            "description": description,
            "attributes": list(attributes),
            "meta": {"resourceType": "Schema", "location": f"{base}/Schemas/{id}"},
        }
        for id, name, description, attributes in found
    ]


def _of_users(placement: Placement) -> list[Resource]:
    from_user_name = placement.mapping.address is ScimAddress.USER_NAME
    return [
        {**one, "required": False} if from_user_name and one["name"] == "emails" else one
        for one in _USER
        if one["name"] not in placement.ignored
    ]


def _of_enterprise(placement: Placement) -> list[Resource]:
    return [one for one in _ENTERPRISE if f"{ENTERPRISE}:{one['name']}" not in placement.ignored]


def _defined(extension: Extension, placement: Placement) -> list[Resource]:
    names = [one for one in extension.names.values() if f"{extension.schema}:{one}" not in placement.ignored]
    return [_attribute(one, "Attribute of the mapping of this connection.") for one in names]


def all_of(resources: list[Resource]) -> Resource:
    return {
        "schemas": [LIST],
        "totalResults": len(resources),
        "itemsPerPage": len(resources),
        "startIndex": 1,
        "Resources": resources,
    }


def _attribute(name: str, description: str, /, **more: Any) -> Resource:
    found: Resource = {
        "name": name,
        "type": "string",
        "multiValued": False,
        "description": description,
        "required": False,
        "caseExact": False,
        "mutability": "readWrite",
        "returned": "default",
        "uniqueness": "none",
        **more,
    }
    if found["type"] in ("complex", "boolean"):
        del found["caseExact"]
    return found


def _texts(**names: str) -> list[Resource]:
    return [_attribute(name, description) for name, description in names.items()]


def _complex(name: str, description: str, parts: list[Resource], /, **more: Any) -> Resource:
    return _attribute(name, description, type="complex", subAttributes=parts, **more)


_PRIMARY: Final = _attribute("primary", "Whether it is the preferred one.", type="boolean")
_EXTERNAL_ID: Final = _attribute("externalId", "Id of the client for it.", caseExact=True)

_USER: Final = (
    _attribute("userName", "Name to sign in with, unique here.", required=True, uniqueness="server"),
    _EXTERNAL_ID,
    _complex(
        "name",
        "Name of the person.",
        [
            *_texts(
                formatted="The whole name; without it, the parts of the name.",
                familyName="Last name.",
                givenName="First name.",
                middleName="Middle name.",
                honorificPrefix="Such as Dr.",
                honorificSuffix="Such as III.",
            ),
        ],
    ),
    *_texts(
        displayName="Name that is shown.",
        nickName="Casual name.",
        title="Position at work.",
        userType="Such as Employee or Contractor.",
        preferredLanguage="Language of pages and emails, such as en-US.",
        locale="Locale, such as en-US.",
        timezone="Time zone, such as Europe/Zurich.",
    ),
    _attribute(
        "profileUrl", "Web address of the profile.", type="reference", referenceTypes=["external"], caseExact=True
    ),
    _attribute("active", "Whether the person can sign in.", type="boolean"),
    _complex(
        "emails",
        "Email addresses; the primary one is that of the account.",
        [
            _attribute("value", "The address.", required=True),
            *_texts(display="Text that is shown.", type="Such as work or home."),
            _PRIMARY,
        ],
        multiValued=True,
        required=True,
    ),
    _complex(
        "phoneNumbers",
        "Phone numbers.",
        [*_texts(value="The number.", display="Text that is shown.", type="Such as work or mobile."), _PRIMARY],
        multiValued=True,
    ),
    _complex(
        "addresses",
        "Postal addresses.",
        [
            *_texts(
                formatted="The whole address.",
                streetAddress="Street and number.",
                locality="City.",
                region="State or region.",
                postalCode="Postal code.",
                country="Country.",
                type="Such as work or home.",
            ),
            _PRIMARY,
        ],
        multiValued=True,
    ),
)
_GROUP: Final = (
    _attribute("displayName", "Name of the group, unique in the organization.", required=True, uniqueness="server"),
    _EXTERNAL_ID,
    _complex(
        "members",
        "The people in the group.",
        [
            _attribute("value", "Id of the person.", mutability="immutable", caseExact=True),
            _attribute(
                "$ref", "Address of the person.", type="reference", referenceTypes=["User"], mutability="immutable"
            ),
            _attribute("type", "Always User.", mutability="immutable", canonicalValues=["User"]),
        ],
        multiValued=True,
    ),
)
_ENTERPRISE: Final = (
    *_texts(
        employeeNumber="Number of the person at the employer.",
        costCenter="Cost center.",
        organization="Organization.",
        division="Division.",
        department="Department.",
    ),
    _complex("manager", "Manager of the person.", [_attribute("value", "Id of the manager.", caseExact=True)]),
)

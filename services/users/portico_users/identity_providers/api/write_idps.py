"""Adds and changes identity providers of every kind. What is added raises as `AddIdp`, what is changed as `UpdateIdp`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
from google.protobuf.message import Message
from portico_contracts.generated.portico.management.v1.idp_presets_pb2 import MigrateGenericOIDCProviderRequest
from portico_contracts.management import METHODS

from portico_users.identity_providers.api.config_mappings import ConfigMapping
from portico_users.identity_providers.api.preset_mappings import AZURE_AD, GOOGLE, PresetMapping
from portico_users.identity_providers.edit_providers import OTHER_KIND, AddIdp, UpdateIdp
from portico_users.identity_providers.idp import Idp, OidcConfig
from portico_users.identity_providers.idp_fields import with_values
from portico_users.identity_providers.presets.names import PresetName
from portico_users.management_api.protobuf.details import details_of
from portico_users.management_api.protobuf.messages import MessageValues
from portico_users.management_api.protobuf.places import at_places
from portico_users.management_api.transport.call import Call

Handler = Callable[..., Awaitable[Message]]


def adding(name: str, mapping: ConfigMapping) -> Handler:
    """Returns the handler of the method that adds a provider."""
    method = METHODS[name]
    id_field = next(one for one in ("id", "idp_id") if one in method.response.DESCRIPTOR.fields_by_name)

    async def handle(call: Call[str], request: Message, *, add: AddIdp) -> Message:
        # Older messages have no id; `with_request` has the name.
        new = Idp(id=getattr(request, "id", ""), org_id=call.target.subject, name="", config=mapping.added(request))
        with at_places(mapping.places):
            record = await add(with_request(new, request), mapping.secret(request), actor=call.caller.user_id)
        return method.response(details=details_of(record), **{id_field: record.id})

    handle.__annotations__ |= {"request": method.request, "add": AddIdp, "return": method.response}
    return handle


def with_request(before: Idp, request: Message) -> Idp:
    """The provider with name, styling and options, as far as the request has them."""
    return with_values(before, MessageValues(request))


def updated_by(mapping: ConfigMapping) -> Callable[[Idp, Message], Idp]:
    """Returns the function that applies a message to a provider; USER-607 for a provider of another kind."""

    def after(before: Idp, request: Message) -> Idp:
        return msgspec.structs.replace(with_request(before, request), config=mapping.changed(before, request))

    return after


def migrated(before: Idp, request: MigrateGenericOIDCProviderRequest) -> Idp:
    if not isinstance(before.config, OidcConfig) or before.config.preset is not PresetName.OIDC:
        raise OTHER_KIND.error()
    mapping, template = _template(request)
    return msgspec.structs.replace(with_request(before, template), config=mapping.added(template))


def secret_of_migrated(request: MigrateGenericOIDCProviderRequest) -> str:
    mapping, template = _template(request)
    return mapping.secret(template)


async def migrate(update: UpdateIdp, before: Idp, after: Idp, secret: str, *, actor: str) -> Idp:
    """Raises as `UpdateIdp`, with the places of the template."""
    is_google = isinstance(after.config, OidcConfig) and after.config.preset is PresetName.GOOGLE
    template, mapping = ("google", GOOGLE) if is_google else ("azure", AZURE_AD)
    places = [(old, f"{template}.{new}") for old, new in mapping.places]
    with at_places([*places, (r"(.+)", rf"{template}.\1")]):
        return await update(before, after, secret, actor=actor)


def _template(request: MigrateGenericOIDCProviderRequest) -> tuple[PresetMapping, Message]:
    return (AZURE_AD, request.azure) if request.WhichOneof("template") == "azure" else (GOOGLE, request.google)

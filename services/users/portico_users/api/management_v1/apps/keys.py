"""The keys of applications that authenticate by private_key_jwt."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import app_service_pb2 as pb

from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.key_messages import expiration_of, key_message, key_messages
from portico_users.api.shared.listing import details_of_list, page_out_of
from portico_users.api.transport.call import Call
from portico_users.commands.apps import AppKeys
from portico_users.directory.apps.app_record import App
from portico_users.directory.client_keys.key_files import key_file, load_key


async def add_app_key(call: Call[App], request: pb.AddAppKeyRequest, *, app_keys: AppKeys) -> pb.AddAppKeyResponse:
    """Creates a key, stores its public half and returns the file with the private one.

    Raises:
        ServiceError: USER-708 where the method signs nothing, USER-052, USER-053 for the end, USER-054 for too many.
    """
    app, made = await app_keys.add(call.target.subject, expiration_of(request), actor=call.caller.user_id)
    file = key_file("application", made, appId=app.id, clientId=app.client_id)
    return pb.AddAppKeyResponse(id=made.key.kid, details=changed_details_of(app), key_details=file)


async def get_app_key(call: Call[App], request: pb.GetAppKeyRequest) -> pb.GetAppKeyResponse:
    """The public part of a key; USER-706 for an unknown one."""
    app = call.target.subject
    return pb.GetAppKeyResponse(key=key_message(app, load_key(app.keys, request.key_id)))


async def list_app_keys(call: Call[App], request: pb.ListAppKeysRequest) -> pb.ListAppKeysResponse:
    """A page of the keys, in the order they were added."""
    app = call.target.subject
    page = page_out_of(app.keys, request.query)
    return pb.ListAppKeysResponse(details=details_of_list(len(app.keys)), result=key_messages(app, page))

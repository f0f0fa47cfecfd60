"""The use cases that a document is planned with."""

from __future__ import annotations

from dataclasses import dataclass

from portico_users.commands.apps.apps import AddApp, RemoveApp, UpdateApp
from portico_users.commands.client_keys.register_keys import RegisterKeys
from portico_users.commands.command import Assembled
from portico_users.commands.identity_providers.idps import AddIdp, RemoveIdp, UpdateIdp
from portico_users.commands.people.create_human import CreateHuman
from portico_users.commands.policies.change_settings import ChangeSettings
from portico_users.commands.policies.token_lifetimes import SetTokenLifetimes


@dataclass(frozen=True, slots=True)
class Commands(Assembled):
    """They are found by their types, like those of operations."""

    add_app: AddApp
    create_human: CreateHuman
    add_idp: AddIdp
    register_keys: RegisterKeys
    remove_app: RemoveApp
    remove_idp: RemoveIdp
    change_settings: ChangeSettings
    set_token_lifetimes: SetTokenLifetimes
    update_app: UpdateApp
    update_idp: UpdateIdp

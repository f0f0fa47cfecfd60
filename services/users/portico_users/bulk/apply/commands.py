"""The use cases that a document is planned with."""

from __future__ import annotations

from dataclasses import dataclass

from portico_users.commands.accounts.user_states import ChangeUserState, DeleteUser
from portico_users.commands.apps.apps import AddApp, RemoveApp, UpdateApp
from portico_users.commands.client_keys.register_keys import RegisterKeys
from portico_users.commands.command import Assembled
from portico_users.commands.grants.user_grants import GrantRoles
from portico_users.commands.identity_providers.idps import AddIdp, RemoveIdp, UpdateIdp
from portico_users.commands.members.members import RemoveMember, SetMember
from portico_users.commands.organizations.domains import OrgDomains
from portico_users.commands.organizations.orgs import AddOrg, UpdateOrg
from portico_users.commands.people.change_human import ChangeHuman
from portico_users.commands.people.create_human import CreateHuman
from portico_users.commands.policies.change_settings import ChangeSettings
from portico_users.commands.policies.token_lifetimes import SetTokenLifetimes
from portico_users.commands.projects.project_grants import AddProjectGrant, RemoveProjectGrant, UpdateProjectGrant
from portico_users.commands.projects.projects import AddProject, RemoveProject, UpdateProject
from portico_users.commands.service_users.service_users import AddServiceUser, UpdateServiceUser
from portico_users.commands.webhooks.webhooks import AddWebhook, RemoveWebhook, UpdateWebhook


@dataclass(frozen=True, slots=True)
class Commands(Assembled):
    """They are found by their types, like those of operations."""

    add_app: AddApp
    add_idp: AddIdp
    add_org: AddOrg
    add_project: AddProject
    add_project_grant: AddProjectGrant
    grant_roles: GrantRoles
    add_webhook: AddWebhook
    add_service_user: AddServiceUser
    change_human: ChangeHuman
    change_user_state: ChangeUserState
    create_human: CreateHuman
    delete_user: DeleteUser
    org_domains: OrgDomains
    register_keys: RegisterKeys
    remove_app: RemoveApp
    remove_idp: RemoveIdp
    change_settings: ChangeSettings
    set_token_lifetimes: SetTokenLifetimes
    remove_member: RemoveMember
    remove_project: RemoveProject
    remove_project_grant: RemoveProjectGrant
    remove_webhook: RemoveWebhook
    update_webhook: UpdateWebhook
    set_member: SetMember
    update_app: UpdateApp
    update_idp: UpdateIdp
    update_org: UpdateOrg
    update_service_user: UpdateServiceUser
    update_project: UpdateProject
    update_project_grant: UpdateProjectGrant

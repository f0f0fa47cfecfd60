from __future__ import annotations

from typing import Final

from portico_users.accounts.edit_accounts import ChangeUserState, DeleteUser, RenameUser
from portico_users.accounts.states import DEACTIVATE, LOCK, REACTIVATE, UNLOCK, Transition
from portico_users.administrators.permissions import Permission
from portico_users.end_users.api import contacts, metadata, passwords, reads
from portico_users.end_users.api import humans_v1 as v1_humans
from portico_users.end_users.api import reads as v1_reads
from portico_users.end_users.api import users_v1 as users
from portico_users.end_users.api import users_v1 as v1_users
from portico_users.end_users.api.humans_v2 import update_human_user, user_to_delete
from portico_users.end_users.api.reads import user_with_metadata
from portico_users.end_users.codes.challenge import Subject
from portico_users.end_users.commands.change_end_user import (
    ChangeEndUser,
    EndUserChange,
    RemoveMetadata,
    RemovePhone,
    SetMetadata,
)
from portico_users.end_users.commands.request_codes import InviteEndUser, RequestFirstPassword
from portico_users.end_users.commands.verify_email import VerifyContact
from portico_users.end_users.messages import metadata_of, profile_of
from portico_users.end_users.new_end_user import CommittedEndUser
from portico_users.management_api.protobuf.changing import changing
from portico_users.management_api.protobuf.details import Answer, as_changed
from portico_users.management_api.protobuf.places import CONTACT, PROFILE, USER_NAME
from portico_users.management_api.protobuf.target_user import changing_end_user
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import named_user, own_or_named_org, readable_orgs

_OF: Final = "portico.user.v2.UserService"
_V1: Final = "portico.management.v1.UserMetadataService"
_V1_USER: Final = "portico.management.v1.UserService"
_READ: Final = Permission.USER_READ
_WRITE: Final = Permission.USER_WRITE
_SELF_DELETE: Final = Permission.USER_SELF_DELETE


def _of_human(committed: CommittedEndUser) -> Answer:
    return as_changed(committed.human)


def _to(name: str, transition: Transition) -> Operation:
    return changing(f"{_OF}.{name}", _WRITE, named_user, ChangeUserState, lambda _: transition)


def _verifying(name: str, subject: Subject) -> Operation:
    values = (lambda _: subject, "verification_code")
    return changing_end_user(f"{_OF}.{name}", _WRITE, VerifyContact, *values, own=True, proven=True)


USERS: Final[tuple[Operation, ...]] = (
    Operation(f"{_OF}.UpdateHumanUser", _WRITE, named_user, update_human_user, own=True),
    _to("DeactivateUser", DEACTIVATE),
    _to("ReactivateUser", REACTIVATE),
    _to("LockUser", LOCK),
    _to("UnlockUser", UNLOCK),
    changing(f"{_OF}.DeleteUser", Permission.USER_DELETE, user_to_delete, DeleteUser, own=_SELF_DELETE),
    Operation(f"{_OF}.SetEmail", _WRITE, named_user, contacts.set_email, own=True),
    Operation(f"{_OF}.ResendEmailCode", _WRITE, named_user, contacts.resend_email_code, own=True),
    Operation(f"{_OF}.SendEmailCode", _WRITE, named_user, contacts.send_email_code, own=True),
    Operation(f"{_OF}.VerifyEmail", _WRITE, named_user, contacts.verify_email, own=True, proven=True),
    Operation(f"{_OF}.SetPhone", _WRITE, named_user, contacts.set_phone, own=True),
    Operation(f"{_OF}.ResendPhoneCode", _WRITE, named_user, contacts.resend_phone_code),
    _verifying("VerifyPhone", Subject.PHONE),
    changing_end_user(f"{_OF}.RemovePhone", _WRITE, RemovePhone, own=True),
    Operation(f"{_OF}.PasswordReset", _WRITE, named_user, passwords.password_reset, own=True),
    Operation(f"{_OF}.SetPassword", _WRITE, named_user, passwords.set_password, own=True, proven=True),
    Operation(f"{_OF}.CreateInviteCode", _WRITE, named_user, contacts.create_invite_code),
    changing_end_user(f"{_OF}.ResendInviteCode", _WRITE, InviteEndUser, act=InviteEndUser.again, answer=_of_human),
    changing_end_user(f"{_OF}.RevokeInviteCode", _WRITE, InviteEndUser, act=InviteEndUser.revoke),
    _verifying("VerifyInviteCode", Subject.INVITE),
    Operation(f"{_OF}.SetUserMetadata", _WRITE, named_user, metadata.set_user_metadata, changes_part=True),
    Operation(f"{_OF}.ListUserMetadata", _READ, named_user, metadata.list_user_metadata, own=True),
    Operation(f"{_OF}.DeleteUserMetadata", _WRITE, named_user, metadata.delete_user_metadata, changes_part=True),
    Operation(f"{_V1_USER}.GetUserByID", _READ, named_user, v1_reads.get_user_by_id, own=True),
    Operation(f"{_V1_USER}.GetUserByLoginNameGlobal", _READ, readable_orgs, v1_reads.get_user_by_login_name_global),
    Operation(f"{_V1_USER}.ListUsers", _READ, own_or_named_org, v1_reads.list_users),
    Operation(f"{_V1_USER}.AddHumanUser", _WRITE, own_or_named_org, v1_humans.add_human_user),
    Operation(f"{_V1_USER}.ImportHumanUser", _WRITE, own_or_named_org, v1_humans.import_human_user),
    Operation(f"{_V1_USER}.GetHumanProfile", _READ, named_user, v1_reads.get_human_profile, own=True),
    Operation(f"{_V1_USER}.GetHumanEmail", _READ, named_user, v1_reads.get_human_email, own=True),
    Operation(f"{_V1_USER}.GetHumanPhone", _READ, named_user, v1_reads.get_human_phone, own=True),
    changing_end_user(
        f"{_V1_USER}.UpdateHumanProfile",
        _WRITE,
        ChangeEndUser,
        lambda asked: EndUserChange(profile=profile_of(asked)),
        act=ChangeEndUser.must_change,
        places=PROFILE,
    ),
    Operation(f"{_V1_USER}.UpdateHumanEmail", _WRITE, named_user, users.update_human_email),
    Operation(f"{_V1_USER}.UpdateHumanPhone", _WRITE, named_user, users.update_human_phone),
    changing_end_user(
        f"{_V1_USER}.ResendHumanInitialization", _WRITE, RequestFirstPassword, "email", answer=_of_human, places=CONTACT
    ),
    Operation(f"{_V1_USER}.IsUserUnique", _WRITE, own_or_named_org, v1_users.is_user_unique),
    changing(f"{_V1_USER}.UpdateUserName", _WRITE, named_user, RenameUser, "user_name", places=(USER_NAME,)),
    Operation(f"{_V1_USER}.SetHumanPassword", _WRITE, named_user, v1_users.set_human_password),
    Operation(f"{_V1_USER}.SetHumanInitialPassword", _WRITE, named_user, v1_users.set_human_initial_password),
    Operation(f"{_V1_USER}.SendHumanResetPasswordNotification", _WRITE, named_user, v1_users.send_reset_notification),
    Operation(f"{_V1}.ListMetadata", _READ, user_with_metadata, reads.list_metadata, own=True),
    Operation(f"{_V1}.GetMetadata", _READ, user_with_metadata, reads.get_metadata, own=True),
    changing_end_user(
        f"{_V1}.SetMetadata",
        _WRITE,
        SetMetadata,
        lambda asked: metadata_of([asked]),
        find=user_with_metadata,
        changes_part=True,
    ),
    changing_end_user(
        f"{_V1}.BulkSetMetadata",
        _WRITE,
        SetMetadata,
        lambda asked: metadata_of(asked.metadata),
        find=user_with_metadata,
        changes_part=True,
    ),
    Operation(f"{_V1}.RemoveMetadata", _WRITE, user_with_metadata, reads.remove_metadata, changes_part=True),
    changing_end_user(
        f"{_V1}.BulkRemoveMetadata", _WRITE, RemoveMetadata, "keys", find=user_with_metadata, changes_part=True
    ),
)

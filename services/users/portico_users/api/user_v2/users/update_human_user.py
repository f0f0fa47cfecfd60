"""Changes a human."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from portico_contracts.generated.portico.user.v2.user_changes_pb2 import (
    UpdateHumanUserRequest,
    UpdateHumanUserResponse,
)
from portico_oauth.errors import ServiceError

from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.api.user_v2.users.chosen_codes import (
    Chosen,
    chosen_for_mail,
    chosen_for_phone,
    org_of,
    refuse_unproven_choice,
    require_manager,
)
from portico_users.api.user_v2.users.contacts import with_mail, with_phone
from portico_users.api.user_v2.users.emails import reserve_mail
from portico_users.api.user_v2.users.new_passwords import new_passwords, prove
from portico_users.api.user_v2.users.person_values import attributes_of, profile_of
from portico_users.api.user_v2.users.user_names import refuse_foreign_name
from portico_users.commands.people.code_requests import with_code
from portico_users.commands.people.new_human import with_attributes, with_profile
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.human import Human
from portico_users.kernel.entry import Attachment, Entry


async def update_human_user(call: Call[AnyUser], request: UpdateHumanUserRequest) -> UpdateHumanUserResponse:
    """Changes everything that is given, in one transaction. Users may change themselves, but not their user name.

    Raises:
        ServiceError: of the rules for humans, codes and passwords, each naming its field; USER-011 for a name that is
            taken, USER-312; `unavailable` as `set_password`.
    """
    human = human_of(call)
    mail = chosen_for_mail(call.needs.codes, request.email, "email") if request.HasField("email") else Chosen()
    phone = chosen_for_phone(request.phone, "phone")
    refuse_unproven_choice(call, mail, phone)
    if request.HasField("username") and request.username != human.user_name:
        require_manager(call, "username")
        await refuse_foreign_name(call.needs, request.username, human.org_id, "username")
    entry = _with_contacts(call, _with_person(call, human, request), request, mail, phone)
    if request.HasField("password"):
        try:
            entry = await _with_password(call, entry, request)
        except ServiceError as error:
            if not await new_passwords(call).is_repeated(human, request.password.password.password, error):
                raise
            await call.needs.revocations.complete(human.id)
            return UpdateHumanUserResponse(details=changed_details_of(human))
    return await _commit(call, entry, mail, phone)


async def _commit(call: Call[AnyUser], entry: Entry[Human], mail: Chosen, phone: Chosen) -> UpdateHumanUserResponse:
    if entry.before == entry.after and not entry.attached and mail.code_request is None and phone.code_request is None:
        # What is as it is wanted needs no event.
        return UpdateHumanUserResponse(details=changed_details_of(entry.after))
    org = await org_of(call)
    mailed = with_code(call.needs.codes, entry, org, mail.code_request)
    numbered = with_code(call.needs.codes, mailed.entry, org, phone.code_request)
    await reserve_mail(call.needs, entry.after, mail.code_request)
    changed = await commit(call, numbered.entry)
    await call.needs.revocations.complete(changed.id)
    details = changed_details_of(changed)
    return UpdateHumanUserResponse(details=details, email_code=mailed.code or None, phone_code=numbered.code or None)


def _with_person(call: Call[AnyUser], human: Human, request: UpdateHumanUserRequest) -> Human:
    after = human
    if request.HasField("username"):
        after = msgspec.structs.replace(after, user_name=request.username)
    if request.HasField("profile"):
        after = with_profile(after, profile_of(request.profile))
    if request.HasField("attributes"):
        after = with_attributes(after, attributes_of(request.attributes))
    return after


def _with_contacts(
    call: Call[AnyUser], after: Human, request: UpdateHumanUserRequest, mail: Chosen, phone: Chosen
) -> Entry[Human]:
    human = human_of(call)
    entry = put_human(human, after)
    if request.HasField("email"):
        entry = with_mail(call, entry, request.email.email, vouched=mail.vouched, place="email.email")
    if request.HasField("phone"):
        entry = with_phone(call.needs, entry, request.phone.phone, vouched=phone.vouched, place="phone.phone")
    return entry


async def _with_password(call: Call[AnyUser], entry: Entry[Human], request: UpdateHumanUserRequest) -> Entry[Human]:
    wanted = request.password
    stored, change_required = await _stored(call, entry.after, request)
    proof = await prove(call, entry.before or entry.after, wanted)
    # The code was mailed to the address of before.
    same_mail = entry.before is not None and entry.before.email == entry.after.email
    proof = replace(proof, mail_read=proof.mail_read and same_mail)
    return new_passwords(call).put(entry, proof, stored, change_required=change_required)


async def _stored(call: Call[AnyUser], human: Human, request: UpdateHumanUserRequest) -> tuple[Attachment, bool]:
    passwords, wanted = call.needs.passwords, request.password
    if wanted.WhichOneof("password_type") == "hashed_password":
        # Nobody could say whether it is one the policy takes.
        require_manager(call, "hashed password")
        hashed = wanted.hashed_password
        return passwords.imported(human, hashed.hash, "password.hashedPassword.hash"), hashed.change_required
    text = wanted.password.password
    return await passwords.hashed(human, text, "password.password.password"), wanted.password.change_required

from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import (
    Action,
    Column,
    Danger,
    Getting,
    Kind,
    Link,
    Listing,
    Screen,
    Sort,
)
from portico_console.console_app.screens.tables.shared import (
    ALGORITHMS,
    CHANGED,
    CREATED,
    ENDS,
    EXPIRES_AFTER,
    FORMER_ENDS,
    ID,
    KEPT_AT_FIRST,
    KEPT_FOR,
    MANAGEMENT,
    SECRET_ENDS,
    STATE,
    USERS,
    history,
    narrowed,
    removal,
    switches,
    words,
)

_MACHINES: Final = f"{MANAGEMENT}.ServiceUserService"

MACHINE: Final = Screen(
    "machines",
    "/orgs/{org}/machines",
    "Service users",
    part="user",
    parts={"userId": "user"},
    listing=Listing(
        f"{MANAGEMENT}.UserService/ListUsers",
        (Column("Name", "machine.name|userName"), Column("User name", "userName"), STATE, CREATED),
        sorts=(
            Sort("User name", "USER_FIELD_NAME_USER_NAME"),
            Sort("State", "USER_FIELD_NAME_STATE"),
            Sort("Created", "USER_FIELD_NAME_CREATION_DATE"),
        ),
        some={"queries": [{"inUserIdsQuery": {"userIds": "$ids"}}]},
        fixed={"sortingColumn": "USER_FIELD_NAME_USER_NAME", "queries": [{"typeQuery": {"type": "TYPE_MACHINE"}}]},
        searches=(words("Name or user name"),),
        filters=(
            narrowed("active", "Active", stateQuery={"state": "USER_STATE_ACTIVE"}),
            narrowed("inactive", "Inactive", stateQuery={"state": "USER_STATE_INACTIVE"}),
        ),
    ),
    getting=Getting(f"{MANAGEMENT}.UserService/GetUserByID", "user"),
    name="machine.name|userName",
    address="userName",
    facts=(
        STATE,
        Column("User name", "userName"),
        Column("Description", "machine.description"),
        Column("Has a client secret", "machine.hasSecret", Kind.YES),
        Column("Secret created", "machine.secretCreationDate", Kind.TIME),
        Column("Secret last used", "machine.secretLastUsed", Kind.TIME),
        Column("Secret expires", "machine.secretExpirationDate", Kind.TIME),
        Column("Previous secret works until", "machine.previousSecretUntil", Kind.TIME),
        Column("Access token type", "machine.accessTokenType", Kind.WORD, "ACCESS_TOKEN_TYPE_BEARER"),
        CREATED,
        CHANGED,
        ID,
    ),
    create=(
        Action(
            "new", "Create service user", f"{_MACHINES}/AddMachineUser", done="%(name)s was created.", named="name|userName",
            only=("userName", "name", "description", "accessTokenType"), leads_to="userId",
        ),
    ),
    actions=(
        Action(
            "change", "Edit", f"{_MACHINES}/UpdateMachine", done="%(name)s was changed.",
            only=("name", "description", "accessTokenType", "accessTokenAlg", "dpop"), filled_from="machine", words={"accessTokenAlg": ALGORITHMS},
        ),
        Action(
            "secret", "Generate client secret", f"{_MACHINES}/GenerateMachineSecret", done="%(name)s has a new client secret.",
            only=("keepSeconds", "expiresAfterDays"), words=KEPT_FOR | EXPIRES_AFTER,
            starts=KEPT_AT_FIRST | {"expiresAfterDays": "0"}, loses=SECRET_ENDS, once=("clientId", "clientSecret"),
        ),
        Action(
            "no-former-secret", "Revoke previous secret", f"{_MACHINES}/RemovePreviousMachineSecret", done="The previous secret of %(name)s was revoked.",
            danger=Danger.CONFIRM, loses=FORMER_ENDS, needs="machine.previousSecretUntil",
        ),
        Action(
            "no-secret", "Remove client secret", f"{_MACHINES}/RemoveMachineSecret", done="The client secret of %(name)s was removed.",
            danger=Danger.CONFIRM, loses="Programs that use it get no new tokens.",
        ),
        *switches(USERS, "User", loses="Programs that use it get no new tokens.", several="service users"),
        removal(
            f"{USERS}/DeleteUser", done="%(name)s was deleted.", title="Delete", danger=Danger.TYPE_NAME, bulk="Delete %(count)s service users",
            loses="The user and all related data are deleted. This cannot be undone.",
        ),
    ),
    hangs=("machine-keys", "machine-tokens", "user-grants", "user-groups", "user-memberships"),
    children=("machine-keys", "machine-tokens", "user-grants", "user-groups", "user-memberships", "machine-history"),
    links=(Link("Workloads", "/workloads", f"{_MACHINES}/GetMachineTrustedWorkloads"),),
    empty="No service users yet.",
)  # fmt: skip

_MACHINE: Final = "/orgs/{org}/machines/{user}"

MACHINE_KEYS: Final = Screen(
    "machine-keys",
    f"{_MACHINE}/keys",
    "Keys",
    part="key",
    parts={"userId": "user", "keyId": "key"},
    listing=Listing(
        f"{_MACHINES}/ListMachineKeys",
        (ID, Column("Algorithm", "algorithm", Kind.CODE), ENDS),
    ),
    getting=Getting(f"{_MACHINES}/GetMachineKeyByIDs", "key"),
    name="id",
    create=(
        Action(
            "new", "Create key", f"{_MACHINES}/AddMachineKey", done="The key was created.",
            only=("expirationDate", "publicKey"), fixed={"type": "KEY_TYPE_JSON"}, once=("keyDetails",),
        ),
    ),
    actions=(removal(f"{_MACHINES}/RemoveMachineKey", done="The key was removed.", loses="Programs that use it get no new tokens."),),
    empty="No keys yet.",
)  # fmt: skip

MACHINE_TOKENS: Final = Screen(
    "machine-tokens",
    f"{_MACHINE}/tokens",
    "Personal access tokens",
    part="token",
    parts={"userId": "user", "tokenId": "token"},
    listing=Listing(
        f"{_MACHINES}/ListPersonalAccessTokens",
        (ID, ENDS),
    ),
    getting=Getting(f"{_MACHINES}/GetPersonalAccessTokenByIDs", "token"),
    name="id",
    create=(
        Action(
            "new", "Create token", f"{_MACHINES}/AddPersonalAccessToken", done="The token was created.",
            only=("expirationDate",), once=("token",),
        ),
    ),
    actions=(
        removal(
            f"{_MACHINES}/RemovePersonalAccessToken", done="The token was removed.",
            loses="Programs that use it are rejected immediately.", bulk="Remove %(count)s tokens",
        ),
    ),
    empty="No tokens yet.",
)  # fmt: skip

HISTORY: Final = history("machine-history", f"{_MACHINE}/history", "History", {"userId": "user"})

SCREENS: Final = (MACHINE, MACHINE_KEYS, MACHINE_TOKENS, HISTORY)

"""The operations that change a user, or return a secret of one, written down: each needs the rights of that user (MG-01)."""

from __future__ import annotations

from typing import Final

_METHODS: Final = {
    "portico.management.v1.IDPService": "RemoveHumanLinkedIDP",
    "portico.management.v1.ServiceUserService": (
        "AddMachineKey AddPersonalAccessToken GenerateMachineSecret RemoveMachineKey RemoveMachineSecret "
        "RemovePersonalAccessToken RemovePreviousMachineSecret SetMachineTrustedWorkloads UpdateMachine "
    ),
    "portico.management.v1.UserMetadataService": ("BulkRemoveMetadata BulkSetMetadata RemoveMetadata SetMetadata"),
    "portico.management.v1.UserService": (
        "AddPasswordlessRegistration ResendHumanInitialization SendHumanResetPasswordNotification "
        "SendPasswordlessRegistration SetHumanInitialPassword SetHumanPassword UpdateHumanEmail "
        "UpdateHumanPhone UpdateHumanProfile UpdateUserName "
    ),
    "portico.user.v2.UserService": (
        "AddIDPLink AddKey AddOTPEmail AddOTPSMS AddPersonalAccessToken AddSecret CreateInviteCode "
        "CreatePasskeyRegistrationLink DeactivateUser DeleteUser DeleteUserMetadata GenerateRecoveryCodes "
        "LockUser PasswordReset ReactivateUser RegisterPasskey RegisterTOTP RegisterU2F RemoveIDPLink "
        "RemoveCredentials RemoveKey RemoveOTPEmail RemoveOTPSMS RemovePasskey RemovePersonalAccessToken RemovePhone RemoveRecoveryCodes "
        "RemoveSecret RemoveTOTP RemoveU2F RenamePasskey RenameU2F ResendEmailCode ResendInviteCode ResendPhoneCode RevokeInviteCode SendEmailCode "
        "SetEmail SetPhone SetUserMetadata UnlockUser UpdateHumanUser VerifyPasskeyRegistration "
        "VerifyTOTPRegistration VerifyU2FRegistration "
    ),
}

OVER_USERS: Final = tuple(f"{service}.{method}" for service, methods in _METHODS.items() for method in methods.split())
"""Full method names. Listed instead of computed, so that removing the rule from an operation fails a test."""

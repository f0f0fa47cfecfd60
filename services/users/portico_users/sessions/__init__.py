"""Sessions, trusted devices and consents of users, which authz and token keep, and acting for users."""

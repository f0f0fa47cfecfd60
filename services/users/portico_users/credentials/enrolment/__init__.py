"""Enrolments: the registration of the first second factor at sign-in."""

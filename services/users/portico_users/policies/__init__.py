"""Policies of an organization and of the instance: sign-in rules, passwords, branding, texts, lifetimes.

Owns which of two policies is in force, and that users can still sign in under it.
"""

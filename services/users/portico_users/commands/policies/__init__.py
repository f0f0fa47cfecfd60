"""Policies, login rules and token lifetimes of organizations and of the instance."""

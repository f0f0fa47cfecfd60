"""Webhooks of organizations and of the instance."""

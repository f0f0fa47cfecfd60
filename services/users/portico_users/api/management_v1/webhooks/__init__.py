"""Webhooks: those of organizations below /management/v1, those of the instance below /admin/v1."""

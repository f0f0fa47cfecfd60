"""Policies of organizations below /management/v1, and those of the instance below /admin/v1."""

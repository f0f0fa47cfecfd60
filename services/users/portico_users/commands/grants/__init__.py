"""Roles of projects that users are granted."""

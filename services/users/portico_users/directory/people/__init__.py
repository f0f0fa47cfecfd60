"""Humans: people who sign in."""

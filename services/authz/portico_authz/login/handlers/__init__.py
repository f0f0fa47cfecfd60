"""Handlers of the steps: each applies an answer to its step, and returns the resulting transition."""

"""Doors for many objects at once: apply, export, import."""

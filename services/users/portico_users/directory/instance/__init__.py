"""The instance: what holds for all organizations together."""

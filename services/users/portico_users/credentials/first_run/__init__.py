"""The one-time link of the first run."""

"""Presets: what is known of a provider beforehand, one YAML file for each, and a closed set of quirks that code knows."""

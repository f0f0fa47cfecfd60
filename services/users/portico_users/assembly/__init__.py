"""Builds parts by type when they are first used."""

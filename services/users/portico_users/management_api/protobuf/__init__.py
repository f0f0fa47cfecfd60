"""Conversions between protobuf messages and values, for the handlers of all features."""

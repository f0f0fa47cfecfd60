"""Spans by the SDK of OpenTelemetry, loaded only where they are on (decision 0069)."""

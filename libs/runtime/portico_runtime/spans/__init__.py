"""OpenTelemetry spans with the SDK, imported only where spans are on (decision 0069)."""

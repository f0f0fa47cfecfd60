"""OpenTelemetry spans with the SDK, imported only where spans are on (decision 0069).

Where a span begins and ends is with the code that it measures, by `portico_contracts.spans`.
"""

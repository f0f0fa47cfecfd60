"""Why was this refused? The trace of a request, by the id that error pages show."""

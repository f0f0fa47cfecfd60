"""From bytes to an authorized call and back, whatever protocol the caller speaks."""

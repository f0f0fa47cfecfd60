"""Values and rules without a driver or a framework."""

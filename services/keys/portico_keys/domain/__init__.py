"""Keys, their states and the rules of their life. No driver, no framework, no clock of its own."""

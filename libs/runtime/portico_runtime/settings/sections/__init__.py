"""One file for each section of settings. All of them are imported, so that a typo is found in every service."""

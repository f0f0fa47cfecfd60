"""Identity providers of organizations and of the instance: added, changed, removed."""

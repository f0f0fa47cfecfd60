"""``portico convert --events``: the event log of another system, of which each module yields `OldRequest` objects."""

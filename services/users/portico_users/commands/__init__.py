"""The use cases: every change of users, with all its rules, as plain values in and entries of the journal out."""

"""Search over users, applications, projects, groups and organizations by words."""

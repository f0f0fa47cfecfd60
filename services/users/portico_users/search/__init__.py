"""Search over users, applications, projects, groups and organizations by words.

Does not own the words of a record, which its table writes, or their index: see `accounts`.
"""

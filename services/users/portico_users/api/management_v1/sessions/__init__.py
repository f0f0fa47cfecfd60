"""Sessions, which authz keeps."""

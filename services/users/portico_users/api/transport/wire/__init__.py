"""What a call says: messages from bytes and JSON, and the limits of the .proto files, the same for every form."""

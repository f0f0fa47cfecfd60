"""The content of a call: messages from bytes and JSON, and the limits of the .proto files, the same for every form."""

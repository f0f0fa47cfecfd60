"""How a call comes in: JSON over HTTP by its path, Connect, gRPC-web and gRPC by the name of its method."""

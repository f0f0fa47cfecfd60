"""All messages between Portico's services, and the gateway's path map.

One module per owning service (`authz`, `keys`, `token`, `users`), plus `events` (JetStream), `http` (paths),
`management` and `proto_options` (the methods and limits of the .proto files in ``libs/contracts/proto``, from
which `generated` is generated), `apply` (the declarative document of ``portico apply``), `catalogue` (tables
of all messages) and `context` (the current request id).

Transport is in `portico_runtime.bus`; behaviour is in the owning service.
"""

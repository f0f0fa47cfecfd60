"""All messages between Portico's services, and the gateway's path map.

One module per owning service (`authz`, `keys`, `token`, `users`), plus `events` (JetStream), `http` (paths),
`management` and `proto_options` (from the .proto files in ``libs/contracts/proto``, by way of `generated`),
`apply` (the document of ``portico apply``), `catalogue` (tables of all messages) and `context` (the current
request id). Transport is in `portico_runtime.bus`.
"""

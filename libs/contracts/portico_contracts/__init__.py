"""Every message between Portico's services, and the gateway's path map, once.

One module per owning service (`authz`, `keys`, `token`, `users`), plus `events` (JetStream), `http` (paths),
`management` and `proto_options` (the methods and limits of the .proto files in ``libs/contracts/proto``, from which
`generated` is made), `apply` (the declarative document of ``portico apply``), `catalogue` (all of it as tables) and `context`
(the request id of the work at hand).

Does not own: how a message travels (`portico_runtime.bus`) or what it does (the owner).
"""

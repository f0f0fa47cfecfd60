"""keys: the lifecycle of signing keys.

Owns: when a key is created, published, signing, retired and expired; the key set at ``/oauth/v2/keys``; the
distribution of private keys to token replicas, sealed to each.

Does not own: signing (token does), the authorization of requesters (the bus permissions are). Never sends a
private key unsealed, never logs one.

The walk of one key::

    app -> rotation.key_rotation    every second: is a key missing? is one due for its next state?
             -> domain.lifecycle        the pure rules
             -> rotation.key_generator  a new key, sealed under the master key
             -> store.mongo_keys        claims its serial number: exactly one replica wins
             -> key_ring                what this replica serves from memory
    routes   -> key_ring -> jwks    GET /oauth/v2/keys
    messages -> key_ring -> signing.key_distribution    a token replica requests the active keys, read from the store
    messages -> rotation.on_demand    the operator rotates or revokes a key now: the same steps out of schedule
    messages -> signing.rewrap    the operator has put a new master key in front
"""

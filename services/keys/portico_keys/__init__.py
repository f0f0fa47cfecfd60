"""keys: the lifecycle of signing keys.

It determines when a key is created, published, signing, retired and expired; serves the key set at
``/oauth/v2/keys``; and distributes private keys to token replicas, sealed to each. Token signs; the bus
permissions authorize requesters. A private key is never sent unsealed and never logged.

The path of a key::

    app -> rotation.key_rotation    every second: is a key missing, or due for its next state?
             -> domain.lifecycle        the pure rules
             -> rotation.key_generator  a new key, sealed under the master key
             -> store.mongo_keys        claims its serial number: exactly one replica wins
             -> key_ring                the in-memory key set of this replica
    routes   -> key_ring -> jwks    GET /oauth/v2/keys
    messages -> key_ring -> signing.key_distribution    a token replica requests the active keys, read from the store
    messages -> rotation.on_demand    the operator rotates or revokes a key now: the same steps out of schedule
    messages -> signing.rewrap    the operator has added a new master key
"""

"""keys: the life of signing keys.

Owns: when a key is made, published, signing, retired and gone; the key set at ``/oauth/v2/keys``; handing the
private keys to token replicas, sealed to each.

Does not own: signing anything (token does), deciding who may ask (the bus permissions do). Never sends a
private key unsealed, never logs one.

The walk of one key::

    app -> rotation.tending    every second: is a key missing? is one due for its next state?
             -> domain.life        the pure rules
             -> rotation.making    a new key, sealed under the master key
             -> store.mongo_keys   claims its serial number: exactly one replica wins
             -> key_ring           what this replica serves from memory
    routes   -> key_ring -> jwks    GET /oauth/v2/keys
    messages -> key_ring -> signing.hand_out    a token replica asks for the active keys, read from the store
    messages -> rotation.on_demand    the operator wants a new key, or one away, now: the same steps out of turn
    messages -> signing.rewrap    the operator has put a new master key in front
"""

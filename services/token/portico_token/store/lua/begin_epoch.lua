-- Begins the epoch of a bucket that has none: nothing stateless issued before is believed.
-- KEYS: epoch of the bucket
redis.call('SET', KEYS[1], tonumber(redis.call('TIME')[1]) + 1, 'NX')
return 1

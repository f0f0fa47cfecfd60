-- Begins the epoch of a bucket that has none: nothing stateless issued before is believed.
-- KEYS: epoch of the bucket
-- Answers 1 when it was missing, 0 otherwise.
return redis.call('SET', KEYS[1], tonumber(redis.call('TIME')[1]) + 1, 'NX') and 1 or 0

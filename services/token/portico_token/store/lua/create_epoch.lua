-- Creates the epoch of a bucket that has none: no stateless token issued before is accepted.
-- KEYS: epoch of the bucket
-- Returns 1 when it was missing, 0 otherwise.
return redis.call('SET', KEYS[1], tonumber(redis.call('TIME')[1]) + 1, 'NX') and 1 or 0

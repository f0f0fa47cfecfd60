-- Creates the epoch of a bucket that has none or an earlier one than required: no stateless token issued before is
-- accepted.
-- KEYS: epoch of the bucket
-- Arguments: `required` in unix seconds, 0 where any will do
-- Returns 1 when it was created, 0 otherwise.
local epoch = redis.call('GET', KEYS[1])
if epoch and tonumber(epoch) >= tonumber(required) then
  return 0
end
redis.call('SET', KEYS[1], math.max(tonumber(redis.call('TIME')[1]) + 1, tonumber(required)))
return 1

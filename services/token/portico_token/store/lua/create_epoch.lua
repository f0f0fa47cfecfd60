-- Creates the epoch of a bucket that has none or an earlier one than required: no stateless token or assertion issued
-- before is accepted.
-- KEYS: epoch of the bucket
-- Arguments: `required` in unix seconds, 0 where any will do; `unknown` is '' for a bucket that was never written to, which
--            has lost nothing: its epoch is the beginning of time
-- Returns 1 when it was created, 0 otherwise.
local epoch = redis.call('GET', KEYS[1])
if epoch and tonumber(epoch) >= tonumber(required) then
  return 0
end
local least = 0
if epoch or unknown ~= '' then
  least = tonumber(redis.call('TIME')[1]) + 1
end
redis.call('SET', KEYS[1], math.max(least, tonumber(required)))
return 1

-- Uses an assertion up.
-- KEYS: epoch of the bucket, mark of the assertion
-- ARGV: unix seconds it was issued at, seconds the mark stays
-- Answers 1 for the first time, 0 afterwards, -1 when it is older than what is remembered here.
local epoch = redis.call('GET', KEYS[1])
if not epoch then
  -- Data was lost, and with it what was used: nothing issued up to now can be believed.
  redis.call('SET', KEYS[1], tonumber(redis.call('TIME')[1]) + 1)
  return -1
end
if tonumber(ARGV[1]) < tonumber(epoch) then
  return -1
end
return redis.call('SET', KEYS[2], '1', 'NX', 'EX', ARGV[2]) and 1 or 0

-- Decides whether a stateless token still stands.
-- KEYS: epoch of the bucket, mark of the token's denial, mark of its user's end
-- ARGV: unix seconds and unix milliseconds it was issued at
-- Answers 1 or 0.
local epoch = redis.call('GET', KEYS[1])
if not epoch then
  -- Data was lost, and what was denied with it: nothing issued up to now can be believed.
  redis.call('SET', KEYS[1], tonumber(redis.call('TIME')[1]) + 1)
  return 0
end
if tonumber(ARGV[1]) < tonumber(epoch) or redis.call('EXISTS', KEYS[2]) == 1 then
  return 0
end
local ended = redis.call('GET', KEYS[3])
if ended and tonumber(ARGV[2]) <= tonumber(ended) then
  return 0
end
return 1

-- Claims a pushed request for one response, and deletes it; the same claimant may repeat that.
-- KEYS: request, its claimant, its index.
-- Arguments: record, claimant, seconds.
local earlier = redis.call('GET', KEYS[2])
if earlier then
  return earlier == claimant and 1 or 0
end
redis.call('SET', KEYS[2], claimant, 'EX', seconds)
redis.call('DEL', KEYS[1])
forget(record)
return 1

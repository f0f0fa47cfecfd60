-- Claims a pushed request for one response; the same claimant may repeat that, and one that knows the `earlier` claimant may
-- replace it. The parameters stay until they expire, for a page that is loaded again.
-- KEYS: claimant of the request.
-- Arguments: claimant, earlier, seconds.
local stored = redis.call('GET', KEYS[1])
if stored and stored ~= claimant and stored ~= earlier then
  return 0
end
redis.call('SET', KEYS[1], claimant, 'EX', seconds)
return 1

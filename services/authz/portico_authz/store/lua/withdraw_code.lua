-- Takes a code back unless it was used; one that is only on its way is refused when it comes.
-- KEYS: code. ARGV: seconds to remember that. Returns 0 for a used one, of which nothing changes.
local code = redis.call('HMGET', KEYS[1], 'client_id', 'grant')
if code[1] and not code[2] then
  return 0
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'withdrawn', '1')
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1

-- Makes a code the response to a request, in the place of the one the caller knows. The first response shortens the
-- lifetime of the request. KEYS: request. ARGV: the earlier code or '', the code, seconds.
if redis.call('EXISTS', KEYS[1]) == 0 or (redis.call('HGET', KEYS[1], 'answer') or '') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'answer', ARGV[2])
if redis.call('TTL', KEYS[1]) > tonumber(ARGV[3]) then
  redis.call('EXPIRE', KEYS[1], ARGV[3])
end
return 1

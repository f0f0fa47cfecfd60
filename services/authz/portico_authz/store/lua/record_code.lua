-- Makes a code the response to a request, in the place of the one the caller knows. The first response shortens the
-- lifetime of the request. KEYS: request, its index.
-- Arguments: record, earlier, code, seconds.
if redis.call('EXISTS', KEYS[1]) == 0 or (redis.call('HGET', KEYS[1], 'answer') or '') ~= earlier then
  return 0
end
redis.call('HSET', KEYS[1], 'answer', code)
forget(record)
if redis.call('TTL', KEYS[1]) > tonumber(seconds) then
  redis.call('EXPIRE', KEYS[1], seconds)
end
return 1

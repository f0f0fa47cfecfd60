-- Replaces a CSRF value, once (LG-14). KEYS: request. ARGV: the presented value, the next one.
if redis.call('HGET', KEYS[1], 'csrf') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'csrf', ARGV[2])
return 1

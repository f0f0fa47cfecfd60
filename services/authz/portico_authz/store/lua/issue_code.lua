-- Keeps a code and marks its session as used, both or none. KEYS: session, code.
-- ARGV: idle_until, session seconds, code seconds, then the code's fields by name and value.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
redis.call('HSET', KEYS[1], 'idle_until', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('HSET', KEYS[2], unpack(ARGV, 4))
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 1

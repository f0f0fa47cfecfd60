-- Keeps a code, marks its session as used and remembers the client, all or nothing. KEYS: session, code.
-- ARGV: idle_until, session seconds, the client's field, code seconds, then the code's fields by name and value.
if redis.call('EXISTS', KEYS[2]) == 1 then
  return 'withdrawn'
end
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], 'ended') == 1 then
  return 'session_ended'
end
redis.call('HSET', KEYS[1], 'idle_until', ARGV[1], ARGV[3], '')
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('HSET', KEYS[2], unpack(ARGV, 5))
redis.call('EXPIRE', KEYS[2], ARGV[4])
return 'issued'

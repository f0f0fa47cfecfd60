-- Stores a code, extends its session and records the client, all or nothing. KEYS: session, code.
-- Arguments: idle_until, session_seconds, client_field, code_seconds, then the code's fields by name and value.
if redis.call('EXISTS', KEYS[2]) == 1 then
  return 'withdrawn'
end
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], 'ended') == 1 then
  return 'session_ended'
end
redis.call('HSET', KEYS[1], 'idle_until', idle_until, client_field, '')
redis.call('EXPIRE', KEYS[1], session_seconds)
redis.call('HSET', KEYS[2], unpack(ARGV, 5))
redis.call('EXPIRE', KEYS[2], code_seconds)
return 'issued'

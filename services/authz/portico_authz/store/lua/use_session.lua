-- Extends a session and records the client. KEYS: session. ARGV: idle_until, seconds, the client's field.
-- Returns 0 when the session does not exist, or has ended.
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], 'ended') == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'idle_until', ARGV[1], ARGV[3], '')
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1

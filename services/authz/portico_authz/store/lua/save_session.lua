-- Keeps a session that was not ended, and its place among its user's. KEYS: session, the user's sessions.
-- ARGV: session, idle_until, seconds, sid, ends_at, now, seconds the index must live.
if redis.call('HEXISTS', KEYS[1], 'ended') == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'session', ARGV[1], 'idle_until', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[6])
redis.call('ZADD', KEYS[2], ARGV[5], ARGV[4])
if redis.call('TTL', KEYS[2]) < tonumber(ARGV[7]) then
  redis.call('EXPIRE', KEYS[2], ARGV[7])
end
return 1

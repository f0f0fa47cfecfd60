-- Stores a session that has not ended, and its entry among its user's. KEYS: session, the user's sessions.
-- Arguments: session, idle_until, seconds, sid, ends_at, now, index_seconds, person.
-- `person` is the user's field in the versions of facts.
if redis.call('HEXISTS', KEYS[1], 'ended') == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'session', session, 'idle_until', idle_until, 'u', person)
redis.call('EXPIRE', KEYS[1], seconds)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('ZADD', KEYS[2], ends_at, sid)
if redis.call('TTL', KEYS[2]) < tonumber(index_seconds) then
  redis.call('EXPIRE', KEYS[2], index_seconds)
end
return 1

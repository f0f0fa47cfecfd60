-- Stores a session that has not ended, its entry among its user's, and the first code of a new one. An ended one is
-- deleted when its clients are notified, so one that was read before, `again` '1', is stored only while it is there.
-- KEYS: session, the user's sessions, the code or nothing.
-- Arguments: session, idle_until, seconds, sid, ends_at, now, index_seconds, person, again, then those of the code.
-- `person` is the user's field in the versions of facts. Those of the code are the field of its client, its seconds, and its
-- fields by name and value.
if redis.call('HEXISTS', KEYS[1], 'ended') == 1 or again == '1' and redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
redis.call('HSET', KEYS[1], 'session', session, 'idle_until', idle_until, 'u', person)
redis.call('EXPIRE', KEYS[1], seconds)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('ZADD', KEYS[2], ends_at, sid)
if redis.call('TTL', KEYS[2]) < tonumber(index_seconds) then
  redis.call('EXPIRE', KEYS[2], index_seconds)
end
if KEYS[3] then
  redis.call('HSET', KEYS[1], ARGV[10], '')
  redis.call('HSET', KEYS[3], unpack(ARGV, 12))
  redis.call('EXPIRE', KEYS[3], ARGV[11])
end
return 1

-- Stores a login session in the place of the one that was read; 0 where another change was stored meanwhile.
-- KEYS: login session.
-- Arguments: earlier, sequence, session, seconds, proven.
-- earlier is 0 for a new one; proven is '1' or empty.
if (redis.call('HGET', KEYS[1], 'sequence') or '0') ~= earlier then
  return 0
end
redis.call('HSET', KEYS[1], 'sequence', sequence, 'session', session)
redis.call('EXPIRE', KEYS[1], seconds)
if proven ~= '' then
  redis.call('HSET', KEYS[1], 'proven', proven)
end
return 1

-- Uses up a CSRF value, once, and keeps what was sent with it (LG-14).
-- KEYS: request. ARGV: the value presented, the next one, what was sent.
if redis.call('HGET', KEYS[1], 'csrf') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'csrf', ARGV[2], 'sent', ARGV[1], 'submission', ARGV[3], 'repeats', 0)
return 1

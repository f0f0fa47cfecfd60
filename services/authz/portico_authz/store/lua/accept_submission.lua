-- Accepts a form: replaces its CSRF value, once, and stores the submission (LG-14).
-- KEYS: request. ARGV: the presented value, the next one, the submission, further fields by name and value.
if redis.call('HGET', KEYS[1], 'csrf') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'csrf', ARGV[2], 'sent', ARGV[1], 'submission', ARGV[3], 'repeats', 0, unpack(ARGV, 4))
return 1

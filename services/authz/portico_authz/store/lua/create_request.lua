-- Stores a request. KEYS: request. ARGV: request, seconds, the CSRF value in force where there is one.
redis.call('HSET', KEYS[1], 'request', ARGV[1])
if ARGV[3] and ARGV[3] ~= '' then
  redis.call('HSET', KEYS[1], 'csrf', ARGV[3])
end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1

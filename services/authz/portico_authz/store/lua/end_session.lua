-- Ends a session for good. KEYS: session. ARGV: seconds what is owed is kept.
if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('HSETNX', KEYS[1], 'ended', '1') == 1 then
  redis.call('EXPIRE', KEYS[1], ARGV[1])
end
return 1

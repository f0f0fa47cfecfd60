-- Counts that the form sent last is sent again. KEYS: request. ARGV: the CSRF value presented, how often it may be.
if redis.call('HGET', KEYS[1], 'sent') ~= ARGV[1] then
  return 0
end
return redis.call('HINCRBY', KEYS[1], 'repeats', 1) <= tonumber(ARGV[2]) and 1 or 0

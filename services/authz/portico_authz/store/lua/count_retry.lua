-- Counts a retry of the last form. KEYS: request. ARGV: the presented CSRF value, how many retries are accepted.
if redis.call('HGET', KEYS[1], 'sent') ~= ARGV[1] then
  return 0
end
return redis.call('HINCRBY', KEYS[1], 'repeats', 1) <= tonumber(ARGV[2]) and 1 or 0

-- Returns the CSRF value in force. KEYS: request. ARGV: the value to put in force when there is none.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return false
end
redis.call('HSETNX', KEYS[1], 'csrf', ARGV[1])
return redis.call('HGET', KEYS[1], 'csrf')

-- Sets fields of an authorization request. KEYS: request. ARGV: name, value, name, value, ...
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1

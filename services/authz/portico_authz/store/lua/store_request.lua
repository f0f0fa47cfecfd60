-- Stores an authorization request, and counts it. KEYS: request, its index.
-- Arguments: record, size, seconds, budget, request, csrf.
redis.call('HSET', KEYS[1], 'request', request)
if csrf ~= '' then
  redis.call('HSET', KEYS[1], 'csrf', csrf)
end
redis.call('EXPIRE', KEYS[1], seconds)
return count(record, size, seconds, budget)

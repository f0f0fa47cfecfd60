-- Withdraws a code unless it was redeemed; one that is not stored yet is rejected when it is issued.
-- KEYS: code. ARGV: seconds the withdrawal is stored. Returns 0 for a redeemed one, which does not change.
local code = redis.call('HMGET', KEYS[1], 'client_id', 'grant')
if code[1] and not code[2] then
  return 0
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'withdrawn', '1')
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1

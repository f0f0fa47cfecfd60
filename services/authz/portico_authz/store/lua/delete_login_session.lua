-- Deletes a login session unless another session began with it. KEYS: login session. ARGV: its known sids.
if (redis.call('HGET', KEYS[1], 'sids') or '') ~= ARGV[1] then
  return 0
end
redis.call('DEL', KEYS[1])
return 1

-- Records that the tokens of an ended session are inactive. KEYS: session, the user's sessions. ARGV: sid.
redis.call('ZREM', KEYS[2], ARGV[1])
if redis.call('HEXISTS', KEYS[1], 'ended') == 1 then
  redis.call('HSET', KEYS[1], 'revoked', '1')
end
return 1

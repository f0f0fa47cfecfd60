-- Ends a session irrevocably. KEYS: session. ARGV: seconds it is stored, the client and the user
-- that ended it, each empty if there is none.
if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('HSETNX', KEYS[1], 'ended', '1') == 1 then
  redis.call('EXPIRE', KEYS[1], ARGV[1])
  if ARGV[2] ~= '' then
    redis.call('HSET', KEYS[1], 'ended_by', ARGV[2])
  end
  if ARGV[3] ~= '' then
    redis.call('HSET', KEYS[1], 'actor', ARGV[3])
  end
end
return 1

-- Records a session that began with a login session; 0 without the login session. KEYS: login session. ARGV: sid.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
local sids = redis.call('HGET', KEYS[1], 'sids') or ''
if not sids:find(ARGV[1], 1, true) then
  redis.call('HSET', KEYS[1], 'sids', sids == '' and ARGV[1] or sids .. ' ' .. ARGV[1])
end
return 1

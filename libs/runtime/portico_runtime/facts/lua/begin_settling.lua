-- KEYS[1] the versions of a bucket; ARGV: field, settling, seconds a mark counts, seconds the key is kept.
-- Refused while a change is under way. A mark that is older was left by a process that ended.
local was = redis.call('HGET', KEYS[1], field)
if was and string.sub(was, 1, 1) == '~' then
  local now = tonumber(redis.call('TIME')[1])
  for since in string.gmatch(was, '@(%d+)') do
    if now - tonumber(since) < tonumber(mark_seconds) then return 0 end
  end
end
redis.call('HSET', KEYS[1], field, '?' .. settling)
redis.call('EXPIRE', KEYS[1], kept_seconds)
return 1

-- KEYS[1] the versions of a bucket; ARGV: field, seen, settling, seconds a mark counts, seconds the key is kept.
-- Returns the text that stands there until it is settled. Nothing where the text is not what was seen, or while a change is under
-- way; a mark that is older was left by a process that ended. A text of nobody's version stays, so that those who settle the same
-- at a time do not disturb each other: any change writes its mark over it.
local was = redis.call('HGET', KEYS[1], field) or ''
if was ~= seen then return false end
local first = string.sub(was, 1, 1)
if first == '~' then
  local now = tonumber(redis.call('TIME')[1])
  for since in string.gmatch(was, '@(%d+)') do
    if now - tonumber(since) < tonumber(mark_seconds) then return false end
  end
end
local text = first == '?' and was or '?' .. settling
redis.call('HSET', KEYS[1], field, text)
redis.call('EXPIRE', KEYS[1], kept_seconds)
return text

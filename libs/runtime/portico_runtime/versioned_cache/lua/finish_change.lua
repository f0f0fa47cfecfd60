-- KEYS[1] the versions of a bucket; ARGV: change, seconds a mark counts, then pairs of field and version, "" for none.
-- The version counts only where no other change was under way meanwhile and the mark was not lost. Else the text is one that is nobody's
-- version, and differs from every other: the owner is asked, and finds out.
local now = tonumber(redis.call('TIME')[1])
for place = 3, #ARGV, 2 do
  local field, version = ARGV[place], ARGV[place + 1]
  local was = redis.call('HGET', KEYS[1], field)
  local own = was and string.match(was, '~' .. change .. '@%d+')
  if own and was == own and version ~= '' then
    redis.call('HSET', KEYS[1], field, version)
  else
    local rest = was or ''
    if own then rest = (string.gsub(was, own, '')) end
    local under_way = false
    for since in string.gmatch(rest, '@(%d+)') do
      if now - tonumber(since) < tonumber(mark_seconds) then under_way = true end
    end
    redis.call('HSET', KEYS[1], field, under_way and (string.gsub(rest, '~overlap', '')) .. '~overlap' or '?' .. change)
  end
end
return 1

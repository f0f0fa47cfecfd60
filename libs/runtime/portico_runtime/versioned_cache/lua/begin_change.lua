-- KEYS[1] the versions of a bucket; ARGV: change, seconds the key is kept, then the fields that are about to change.
-- A mark is "~<change>@<seconds>". Who comes while another change is under way says so: then nobody knows whose version is the last.
local now = redis.call('TIME')[1]
for place = 3, #ARGV do
  local was = redis.call('HGET', KEYS[1], ARGV[place])
  local mark = '~' .. change .. '@' .. now
  if was and string.sub(was, 1, 1) == '~' then
    mark = string.find(was, change, 1, true) and was or (string.gsub(was, '~overlap', '')) .. '~overlap' .. mark
  end
  redis.call('HSET', KEYS[1], ARGV[place], mark)
end
redis.call('EXPIRE', KEYS[1], kept_seconds)
return 1

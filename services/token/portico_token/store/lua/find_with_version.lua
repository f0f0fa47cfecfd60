-- Reads a grant together with the version of the facts about its user.
-- KEYS: grant, versions of facts of its bucket
-- ARGV: fields of the grant
-- Returns the version, empty when there is none and nil when the grant does not say whose it is, then the fields.
local found = redis.call('HMGET', KEYS[1], 'u', unpack(ARGV))
if found[1] then
  found[1] = redis.call('HGET', KEYS[2], found[1]) or ''
end
return found

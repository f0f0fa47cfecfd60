-- KEYS[1] the versions of a bucket; ARGV: field, text, version. Nothing where anything was written since the text was.
if redis.call('HGET', KEYS[1], field) ~= text then return 0 end
redis.call('HSET', KEYS[1], field, version)
return 1

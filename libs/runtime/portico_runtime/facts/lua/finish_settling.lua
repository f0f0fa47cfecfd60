-- KEYS[1] the versions of a bucket; ARGV: field, settling, version. Nothing where anything was written since it began.
if redis.call('HGET', KEYS[1], field) ~= '?' .. settling then return 0 end
redis.call('HSET', KEYS[1], field, version)
return 1

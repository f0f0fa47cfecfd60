-- Stores who trusted a browser whose handle is replaced. KEYS: the handle. ARGV: text, seconds.
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1

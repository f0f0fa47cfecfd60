-- Stores a text, and counts it. KEYS: key, its index.
-- Arguments: record, size, seconds, budget, text.
redis.call('SET', KEYS[1], text, 'EX', seconds)
return count(record, size, seconds, budget)

-- Stores a flow to a provider, and counts it. KEYS: flow, its index.
-- Arguments: record, size, seconds, budget, flow, browser, provider.
redis.call('HSET', KEYS[1], 'flow', flow, 'browser', browser, 'provider', provider)
redis.call('EXPIRE', KEYS[1], seconds)
return count(record, size, seconds, budget)

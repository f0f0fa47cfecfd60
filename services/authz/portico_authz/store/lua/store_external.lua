-- Stores a flow to a provider. KEYS: flow.
-- Arguments: flow, browser, provider, seconds.
redis.call('HSET', KEYS[1], 'flow', flow, 'browser', browser, 'provider', provider)
redis.call('EXPIRE', KEYS[1], seconds)
return 1

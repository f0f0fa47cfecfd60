-- Deletes an ended session, never a live one. KEYS: session.
return redis.call('HEXISTS', KEYS[1], 'ended') == 1 and redis.call('DEL', KEYS[1]) or 0

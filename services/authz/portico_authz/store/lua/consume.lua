-- Deletes a key; 1 for the one caller that did. KEYS: key.
return redis.call('DEL', KEYS[1])

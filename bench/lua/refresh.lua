-- Every thread has one refresh token and uses each new one for the next request (RFC 6749 §6).
--
-- plan: path, headers (with client authentication), fields (what is sent besides the token), refresh_tokens.
local measure = require("measure")
local chain = require("chain")
local plan = measure.plan
local token = nil

local function first()
  token = token or plan.refresh_tokens[thread_number or 1]
  return wrk.format("POST", plan.path, plan.headers, plan.fields .. "&refresh_token=" .. measure.escape(token))
end

local function step(status, _headers, body)
  local rotated = string.match(body, '"refresh_token"%s*:%s*"([^"]+)"')
  if status ~= 200 or not rotated or not string.find(body, '"id_token"', 1, true) then
    return nil, "refresh"
  end
  token = rotated
  return true
end

chain.run(first, step)

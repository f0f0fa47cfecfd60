-- Authorization code flow in a browser that is signed in: authorize answers with a code at once, and the code is
-- exchanged. Every thread is one browser.
--
-- plan: cookies (by thread), authorize (path with query), redirect_uri, token_path, token_headers, token_fields.
local measure = require("measure")
local chain = require("chain")
local redeem = require("redeem")
local plan = measure.plan
local cookie = nil
local redeeming = false

local function first()
  cookie = cookie or plan.cookies[thread_number or 1]
  return wrk.format("GET", plan.authorize, { Cookie = cookie })
end

local function step(status, headers, body)
  if redeeming then
    redeeming = false
    return redeem.finish(status, body)
  end
  local code = redeem.code_in(headers)
  if not code then
    return nil, "authorize to " .. measure.header(headers, "location")
  end
  local set = string.match(measure.header(headers, "set-cookie"), "^[^;]+")
  cookie = set or cookie
  redeeming = true
  return redeem.request(code)
end

chain.run(first, step)

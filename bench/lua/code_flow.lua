-- Authorization code flow in a browser that is signed in: authorize answers with a code at once, and the code is
-- exchanged. Every thread goes through its own browsers.
--
-- plan: authorize (path with query), redirect_uri, token (path, headers, body without the code); and as for members.
local measure = require("measure")
local chain = require("chain")
local members = require("members")
local redeem = require("redeem")
local plan = measure.plan
local cookie = nil
local redeeming = false

local function first()
  cookie = members.next()
  members.keep(cookie)
  return wrk.format("GET", plan.authorize, { Cookie = cookie })
end

-- The cookie of a response, where it replaces the only one that is sent.
local function renewed(set)
  local name = string.match(cookie, "^[^=]+=")
  return name and string.sub(set, 1, #name) == name and not string.find(cookie, ";") and string.match(set, "^[^;]+")
end

local function step(status, headers, body)
  if redeeming then
    redeeming = false
    chain.end_after(members.are_through())
    return redeem.finish(status, body)
  end
  local code = redeem.code_in(headers)
  if not code then
    return nil, "authorize to " .. measure.header(headers, "location")
  end
  members.keep(renewed(measure.header(headers, "set-cookie")) or cookie)
  redeeming = true
  return redeem.request(code)
end

chain.run(first, step)

-- The last step of every flow that ends in a code.
local measure = require("measure")
local plan = measure.plan
local redeem = {}

-- The code in a Location that leads back to the relying party.
function redeem.code_in(headers)
  return redeem.code_of(measure.header(headers, "location"))
end

-- The code in an address of the relying party.
function redeem.code_of(location)
  if string.sub(location, 1, #plan.redirect_uri) ~= plan.redirect_uri then
    return nil
  end
  return string.match(location, "[?&]code=([^&#]+)")
end

-- The token request. The code stays percent-encoded as it came.
function redeem.request(code)
  return wrk.format("POST", plan.token.path, plan.token.headers, plan.token.body .. "&code=" .. code)
end

function redeem.finish(status, body)
  if status ~= 200 or not string.find(body, '"id_token"', 1, true) then
    return nil, "token"
  end
  return true
end

return redeem

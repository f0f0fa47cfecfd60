-- An operation of several requests. wrk runs with one connection per thread, so that the state of a thread is
-- the state of one chain. `request` only reads the state (wrk calls it once more than it sends); `response` moves on.
local measure = require("measure")
local chain = {}
local pending = nil
local began = nil

operations = 0
operation_times = {}
local KEPT = 20000

-- first(): the request an operation begins with.
-- step(status, headers, body): the next request, or true when the operation is done, or nil and what was wrong.
function chain.run(first, step)
  function request()
    if not pending then
      pending = first()
      began = measure.now()
    end
    return pending
  end

  function response(status, headers, body)
    local following, wrong = step(status, headers, body)
    if following == true then
      operations = operations + 1
      if operations <= KEPT then
        operation_times[operations] = measure.now() - began
      end
      pending = nil
    elseif following then
      pending = following
    else
      measure.bad(wrong or "chain", status, body)
      pending = nil
    end
  end
end

return chain

-- An operation of several requests. wrk runs with one connection per thread, so that the state of a thread is
-- the state of one chain. `request` only reads the state (wrk calls it once more than it sends); `response` moves on.
local measure = require("measure")
local chain = {}
local pending = nil
local began = nil

operations = 0
finished_requests = 0
local asked = 0
operation_times = {}
local KEPT = 20000

-- Ends a run that only goes through its members once.
function chain.end_after(is_through)
  if is_through and measure.plan.once then
    measure.finish()
  end
end

-- first(): the request an operation begins with.
-- step(status, headers, body): the next request, or true when the operation is done, or nil and what was wrong.
function chain.run(first, step)
  function request()
    if not pending then
      pending = first()
      asked = 0
    end
    if asked == 0 then
      began = measure.now()
    end
    return pending
  end

  function response(status, headers, body)
    local following, wrong = step(status, headers, body)
    asked = asked + 1
    if following == true then
      operations = operations + 1
      finished_requests = finished_requests + asked
      if operations <= KEPT then
        operation_times[operations] = measure.now() - began
      end
      pending = nil
      measure.count(operations)
    elseif following then
      pending = following
    else
      measure.bad(wrong or "chain", status, body)
      pending = nil
    end
  end
end

-- A browser pauses between operations, not within one.
measure.pause(function() return pending and asked > 0 end)

return chain

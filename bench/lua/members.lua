-- The end users of a thread: every thread has its own, and goes through them again and again. Each has one value, a
-- cookie or a token, which may change as it is used; what the values are at the end is written where the plan says.
--
-- plan: values (of all threads), threads, state (a file); and where each request needs a proof, proofs: a file with as
-- many proofs of the same length, each for one request of the member whose turn it is.
local measure = require("measure")
local plan = measure.plan
local members = {}
local numbers = {}
local values = {}
local used = {}
local proofs = nil
local turn = 0

-- A global of the thread: `number value`, empty while a value is under way and so not known.
held = {}

local function take_own()
  for number = thread_number or 1, #plan.values, plan.threads do
    numbers[#numbers + 1] = number
    values[#values + 1] = plan.values[number]
    held[#held + 1] = number .. " " .. plan.values[number]
  end
end

-- The value of the next member who has one.
function members.next()
  if #numbers == 0 then
    take_own()
  end
  for _ = 1, #numbers do
    turn = turn % #numbers + 1
    if values[turn] ~= "" then
      held[turn] = numbers[turn] .. " "
      return values[turn]
    end
  end
  return ""
end

-- A proof of the present member that was not sent; nil when there are none left.
function members.proof()
  used[turn] = (used[turn] or 0) + 1
  proofs = proofs or assert(io.open(plan.proofs))
  proofs:seek("set", ((used[turn] - 1) * #plan.values + numbers[turn] - 1) * plan.proof_length)
  return proofs:read(plan.proof_length)
end

-- The present member's value from now on; empty when it is lost.
function members.keep(value)
  values[turn] = value
  held[turn] = numbers[turn] .. " " .. value
end

-- True after the last one of a round.
function members.are_through()
  return turn == #numbers
end

return members

-- window.lua: the number that a counter in fixed windows holds.
--
-- The window's number (modulo 1023, from 1 on) above 43 bits of count. A value of another window reads as zero, so a counter that
-- outlives its window by a millisecond can never carry hits into the next one. What is below 2^43 is of no window: hits that were
-- added to a counter that did not exist. Only a count of the very next window stays in force: time
-- stepped back, and forgetting it would admit the quota again.
--
-- Mirrors   FixedWindowModel.java; StoreAgreementIT feeds both the same hits and compares every answer.

local COUNTS = 8796093022208 -- 2^43
local FULL = 4398046511104 -- 2^42: no more is counted, so that what others add without the script (PlainCall.java) finds room
local WINDOWS = 1023

local function number_of(window)
  return window % WINDOWS + 1
end

local function in_force(state, window, now)
  local number = floor(now / window)
  local stored = floor(state / COUNTS)
  local count = state - stored * COUNTS
  if stored == number_of(number + 1) then
    return number + 1, count
  end
  if stored == number_of(number) then
    return number, count
  end
  return number, 0
end

local function pack(number, count)
  return number_of(number) * COUNTS + min(count, FULL)
end

-- What a counter holds, as a state: anything out of range is no state of ours and counts as missing.
local function state_of(value)
  return value >= 0 and value <= MAX and value or 0
end

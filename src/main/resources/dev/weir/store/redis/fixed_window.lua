-- fixed_window.lua: counts hits in windows aligned to the Unix epoch.
--
-- A counter holds one integer: the window's number (modulo 1024) above 43 bits of count. A value of
-- another window reads as zero, so a counter that outlives its window by a millisecond can never carry
-- hits into the next one. Only a count of the very next window stays in force: time stepped back, and
-- forgetting it would admit the quota again.
--
--   evaluate(state, window, limit, hits, times, now) -> admitted, left, reset, retry, state
--   refund(state, window, limit, hits, now)          -> admitted, left, reset, retry, state
--       state         as read from the counter, 0 if there is none
--       window        the window's length in microseconds
--       limit         hits per window; 0 admits nothing
--       hits          how many each check asks for, or gives back; 0 looks without touching
--       times         how many equal checks there are, in a row
--       now           microseconds, the server's, the same for every check of a call
--       admitted      how many of the checks are admitted: the first ones
--       left          hits that one more check could have now
--       reset, retry  microseconds until untouched, until a refused check would be admitted
--
-- Exact     whole numbers below 2^53, where Lua loses no precision.
-- Expiry    the window's end plus one second, to tidy up; it decides nothing.
-- Cost      one INCRBY for each counter of a call, whatever the number of its checks; one SET more when
--           a window begins.
-- Mirrors   FixedWindowModel.java; StoreAgreementIT feeds both the same hits and compares every answer.

local COUNTS = 8796093022208 -- 2^43
local WINDOWS = 1024

local fixed_window = {}

local function in_force(state, window, now)
  local number = math.floor(now / window)
  local stored = math.floor(state / COUNTS)
  local count = state - stored * COUNTS
  if stored == (number + 1) % WINDOWS and count > 0 then
    return number + 1, count
  end
  if stored == number % WINDOWS then
    return number, count
  end
  return number, 0
end

local function pack(number, count)
  return number % WINDOWS * COUNTS + math.min(count, COUNTS - 1)
end

function fixed_window.evaluate(state, window, limit, hits, times, now)
  local number, count = in_force(state, window, now)
  local finish = (number + 1) * window - now
  if hits == 0 then
    return count <= limit and times or 0, math.max(0, limit - count), finish, finish, state
  end
  local admitted = math.max(0, math.min(times, math.floor((limit - count) / hits)))
  local left = math.max(0, limit - count - admitted * hits)
  return admitted, left, finish, finish, pack(number, count + times * hits)
end

function fixed_window.refund(state, window, limit, hits, now)
  local number, count = in_force(state, window, now)
  local finish = (number + 1) * window - now
  local after = math.max(0, count - hits)
  return 1, math.max(0, limit - after), finish, finish, after == count and state or pack(number, after)
end

-- fixed_window.lua: counts hits in windows aligned to the Unix epoch.
--
-- A counter holds one integer: the window's number (modulo 1024) above 43 bits of count. A value of another window
-- reads as zero, so a counter that outlives its window by a millisecond can never carry hits into the next one. Only a
-- count of the very next window stays in force: time stepped back, and forgetting it would admit the quota again.
--
-- Exact     whole numbers below 2^53, where Lua loses no precision.
-- Expiry    the window's end plus one second, to tidy up; it decides nothing.
-- Cost      one INCRBY for each counter of a call, whatever the number of its checks; one SET more when a window
--           begins. As part of a plan one GET and one SET.
-- Mirrors   FixedWindowModel.java; StoreAgreementIT feeds both the same hits and compares every answer.

local COUNTS = 8796093022208 -- 2^43
local WINDOWS = 1024

local function in_force(state, window, now)
  local number = floor(now / window)
  local stored = floor(state / COUNTS)
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
  return number % WINDOWS * COUNTS + min(count, COUNTS - 1)
end

-- What a counter holds, as a state: anything out of range is no state of ours and counts as missing.
local function state_of(value)
  return value >= 0 and value <= MAX and value or 0
end

-- Counts first and looks at what came out: one command where the window goes on. What stood there before is known
-- exactly, so it decides, and the value is corrected where a window begins. For checks that count in any case.
local function count_in_window(key, window, limit, hits, times, now)
  local total = hits * times
  local after = redis.pcall('INCRBY', key, number_text(total))
  if type(after) == 'table' then
    return nil, after
  end
  local before = state_of(after - total)
  local number, count = in_force(before, window, now)
  local finish = (number + 1) * window - now
  local state = pack(number, count + total)
  if before == 0 or state ~= after then
    local stored = redis.pcall('SET', key, number_text(state), 'PX', lifetime(finish))
    if stored.err then
      redis.pcall('DEL', key)
      return nil, stored
    end
  end
  local admitted = max(0, min(times, floor((limit - count) / hits)))
  return admitted, max(0, limit - count - admitted * hits), finish
end

local fixed_window = {}

function fixed_window.read(c)
  local state = tonumber(redis.call('GET', c.key) or 0)
  if not state then
    error({ err = 'WRONGVALUE the counter holds something that is no number' })
  end
  c.number, c.count = in_force(state_of(state), c.window, c.now)
  c.at = max(c.now, c.number * c.window)
end

function fixed_window.left(c)
  return max(0, c.limit - c.count)
end

function fixed_window.is_over(c)
  return c.count > c.limit
end

function fixed_window.take(c, hits)
  c.count = min(COUNTS - 1, c.count + hits)
end

function fixed_window.give(c, hits)
  c.is_given = c.is_given or (c.count > 0 and hits > 0)
  c.count = max(0, c.count - hits)
end

function fixed_window.give_back(c, hits, charged_at)
  if floor(charged_at / c.window) == c.number then
    fixed_window.give(c, hits)
  end
end

function fixed_window.reset(c)
  return (c.number + 1) * c.window - c.now, 0
end

function fixed_window.retry(c)
  return (c.number + 1) * c.window - c.now
end

function fixed_window.value(c)
  return number_text(pack(c.number, c.count))
end

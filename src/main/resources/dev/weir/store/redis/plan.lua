-- plan.lua: takes a whole batch of checks, decides them one after the other at one instant, and answers a reading
-- for each.
--
--   KEYS     the counter of each check; a counter may stand there more than once
--   ARGV[1]  for each check, packed big-endian: algorithm (1 byte), refund (1 byte, 1 if the hits are given back),
--            window in microseconds (8), limit (8), hits (8), times (4: how many equal checks this one stands for)
--   reply    one string; for each check either 0 (1 byte), admitted (4), left (8), reset (8), retry (8), or, where
--            the counter could not be used, 1 (1 byte), the length (2) and text of Redis's error
--
-- A counter that holds something else (another type, no number) fails its own checks only: every command on it goes
-- through pcall. Checks are independent of each other here, since each is charged in any case.
--
-- Mirrors   MemoryStore.java; StoreAgreementIT feeds both the same batches and compares every answer.

local MAX_STATE = 9007199254740991 -- 2^53 - 1; beyond it a value was not written by this script

local function whole(number)
  return string.format('%.0f', number)
end

-- What a counter holds, as a state: anything out of range is no state of ours and counts as missing.
local function state_of(value)
  if value >= 0 and value <= MAX_STATE then
    return value
  end
  return 0
end

local function failure(answer)
  local text = string.sub(answer.err, 1, 200)
  return struct.pack('>BI2c0', 1, #text, text)
end

local function reading(admitted, left, reset, retry)
  return struct.pack('>BI4I8I8I8', 0, admitted, left, reset, retry)
end

-- Counts first and looks at what came out: one command where the window goes on. What stood there before is known
-- exactly, so the algorithm decides on that, and corrects the value where a window begins.
local function count(key, window, limit, hits, times, now)
  local total = hits * times
  local after = redis.pcall('INCRBY', key, whole(total))
  if type(after) == 'table' then
    return failure(after)
  end
  local before = state_of(after - total)
  local admitted, left, reset, retry, state = fixed_window.evaluate(before, window, limit, hits, times, now)
  if before == 0 or state ~= after then
    local stored = redis.pcall('SET', key, whole(state), 'PX', whole(math.ceil(reset / 1000) + 1000))
    if stored.err then
      redis.pcall('DEL', key)
      return failure(stored)
    end
  end
  return reading(admitted, left, reset, retry)
end

-- Looks or gives back: neither creates a counter nor touches an expiry.
local function read(key, refunds, window, limit, hits, times, now)
  local value = redis.pcall('GET', key)
  if type(value) == 'table' then
    return failure(value)
  end
  local number = tonumber(value or 0)
  if not number then
    return failure({ err = 'WRONGVALUE the counter holds something that is no number' })
  end
  local before = state_of(number)
  if not refunds then
    return reading(fixed_window.evaluate(before, window, limit, 0, times, now))
  end
  local admitted, left, reset, retry, state = fixed_window.refund(before, window, limit, hits, now)
  if state ~= before then
    local changed = redis.pcall('INCRBY', key, whole(state - number))
    if type(changed) == 'table' then
      return failure(changed)
    end
  end
  return reading(admitted, left, reset, retry)
end

local now = clock()
local replies = {}
local position = 1
for i = 1, #KEYS do
  local _, refunds, window, limit, hits, times
  _, refunds, window, limit, hits, times, position = struct.unpack('>BBI8I8I8I4', ARGV[1], position)
  if refunds == 1 or hits == 0 then
    replies[i] = read(KEYS[i], refunds == 1, window, limit, hits, times, now)
  else
    replies[i] = count(KEYS[i], window, limit, hits, times, now)
  end
end
return table.concat(replies)

-- plain.lua: the short way, for hits in fixed windows that count in any case: most checks of most services.
--
-- A batch of nothing else ends here, before the functions of the other algorithms are made: Redis makes those anew for every
-- call, which would cost such a batch a tenth more.
--
-- Cost      one INCRBY for each counter of a call, whatever the number of its checks; one SET more when a window begins.
-- Mirrors   FixedWindowModel.java; StoreAgreementIT feeds both the same hits and compares every answer.

local PLAIN, PLAIN_BYTES, READING = '>I8I8I8I4', 29, '>BI4I8I8I8'

-- Found once for a call: a batch asks for them for each check.
local ask, read, write = redis.pcall, struct.unpack, struct.pack

local function failure(answer)
  local text = string.sub(type(answer) == 'table' and answer.err or tostring(answer), 1, 200)
  return write('>BI2c0', 1, #text, text)
end

-- Counts first and looks at what came out: one command where the window goes on. What stood there before is known
-- exactly, so it decides, and the value is corrected where a window begins. For checks that count in any case.
local function count_in_window(key, window, limit, hits, times, now)
  local total = hits * times
  local after = ask('INCRBY', key, total == 1 and '1' or number_text(total)) -- most ask for one: no text to make
  if type(after) == 'table' then
    return nil, after
  end
  local before = state_of(after - total)
  local number, count = in_force(before, window, now)
  local finish = (number + 1) * window - now
  local state = pack(number, count + total)
  if before == 0 or state ~= after then
    local stored = ask('SET', key, number_text(state), 'PX', lifetime(finish))
    if stored.err then
      ask('DEL', key)
      return nil, stored
    end
  end
  local admitted = max(0, min(times, floor((limit - count) / hits)))
  return admitted, max(0, limit - count - admitted * hits), finish
end

-- The reply to the check whose numbers begin at a position, and the position behind them.
local function reply_plain(key, numbers, position, now)
  local window, limit, hits, times
  window, limit, hits, times, position = read(PLAIN, numbers, position)
  local admitted, left, reset = count_in_window(key, window, limit, hits, times, now)
  return admitted and write(READING, 0, admitted, left, reset, reset) or failure(left), position
end

local now, numbers = clock(), ARGV[1]
if #numbers == PLAIN_BYTES * #KEYS then -- all other checks take more room, with their locks too
  local replies, position = {}, 2
  for i, key in ipairs(KEYS) do
    replies[i], position = reply_plain(key, numbers, position, now)
    position = position + 1
  end
  return table.concat(replies)
end

-- plain.lua: hits in fixed windows that count in any case, where the short way (ShortWay.java) does not count them.
--
-- The script only counts them. What stood there before says all else, and FixedWindowModel.java reads it: whatever Redis need not
-- do, others of its callers need not wait for.
--
-- A batch of nothing else ends here, before the functions of the other algorithms are made: Redis makes those anew for every
-- call, which would cost such a batch a tenth more.
--
-- Cost      one INCRBY for each counter of a call, whatever the number of its checks; one SET more when a window begins.
-- Mirrors   FixedWindowModel.java; StoreAgreementIT feeds both the same hits and compares every answer.

local PLAIN, PLAIN_BYTES, FAILED = '>I8I8', 16, -1
local MOST = 256 -- that are packed at a time: Lua takes some thousands

-- Found once for a call: a batch asks for them for each check.
local try, read, write = redis.pcall, struct.unpack, struct.pack
local now, numbers = clock(), ARGV[1]

local function failure(answer)
  local text = string.sub(type(answer) == 'table' and answer.err or tostring(answer), 1, 200)
  return write('>I2c0', #text, text)
end

-- What was made of the last check's window and hits: mostly the next one's are the same.
local window, hits, hits_text, floor_of_window = 0, 0, '0', 0

local function prepare(next_window, next_hits)
  window, hits = next_window, next_hits
  hits_text = hits == 1 and '1' or number_text(hits) -- most ask for one: no text to make
  floor_of_window = number_of(floor(now / window)) * COUNTS
end

-- A window begins, or is another than now's.
local function correct(key, before, after)
  local number, count = in_force(before, window, now)
  local state = pack(number, count + hits)
  if state ~= after then
    local stored = try('SET', key, number_text(state), 'PX', lifetime((number + 1) * window - now))
    if stored.err then
      try('DEL', key)
      return FAILED, stored
    end
  end
  return before
end

-- Counts first and looks at what came out: one command where the window goes on. Returns the state of the counter before, from
-- which the caller knows who was admitted, or FAILED and Redis's answer.
local function count_plain(key)
  local after = try('INCRBY', key, hits_text)
  if type(after) == 'table' then
    return FAILED, after
  end
  local before = after - hits
  if before >= floor_of_window and after <= floor_of_window + FULL then
    return before
  end
  return correct(key, state_of(before), after)
end

local function next_plain(position)
  local next_window, next_hits
  next_window, next_hits, position = read(PLAIN, numbers, position)
  if next_window ~= window or next_hits ~= hits then
    prepare(next_window, next_hits)
  end
  return position
end

if #numbers == PLAIN_BYTES * #KEYS then -- all other checks take more room, with their locks too
  local states, failures, position = {}, {}, 1
  for i, key in ipairs(KEYS) do
    local failed
    position = next_plain(position)
    states[i], failed = count_plain(key)
    if failed then
      failures[#failures + 1] = failure(failed)
    end
  end
  local reply = { write('>I8', now) }
  for first = 1, #states, MOST do
    local last = min(first + MOST - 1, #states)
    reply[#reply + 1] = write('>' .. string.rep('i8', last - first + 1), unpack(states, first, last))
  end
  return table.concat(reply) .. table.concat(failures)
end

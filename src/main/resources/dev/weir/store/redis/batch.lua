-- batch.lua: takes a whole batch of checks, decides them at one instant, and answers a reading for each.
--
--   KEYS     for each check its counter, and after it the counter's lock if the check's limit has one; a counter may stand
--            there more than once
--   ARGV[1]  for each check, packed big-endian, either 0 (1 byte: hits in a fixed window that count in any case), window in
--            microseconds (8), hits of all equal checks together (8); or 1 (1), algorithm (1), refund (1: 1 any, 2 of one
--            charge), charge (1), role (1: 0 enforcing, 1 quota, 2 shadow), parts (1), window (8), limit (8), capacity (8),
--            hits of each (8), times (4: how many equal checks this one stands for), block in microseconds (8), instant of the
--            charge (8), descriptor (2), checks of the plan that begins here if they depend on each other (2; else 0), what is
--            known of the rest of the request (1: 0 nothing, 1 some quota passes, 2 it is refused). Where all checks are of the
--            first kind, their leading 0 is left out
--   reply    one string: the instant of the call (8); then for each check of the first kind, the counter's state before
--            it (8; -1 if the counter could not be used); for each other 0 (1 byte; 2 if it was admitted but not charged),
--            admitted (4), left (8), reset (8), retry (8), slack (4), instant of the charge (8), or 1 (1 byte) if the counter
--            could not be used; and at the end for each that could not, the length (2) and text of Redis's error
--
-- A counter that holds something else (another type, no number) fails its own check or plan only.
--
-- Mirrors   Wire.java on the other side; StoreAgreementIT feeds memory and script the same and compares every answer.

local function unpack_check(position, key)
  local check = { key = KEYS[key] }
  check.algorithm, check.refund, check.charge, check.role, check.parts, check.window, check.limit, check.capacity,
    check.hits, check.times, check.block, check.charged_at, check.descriptor, check.size, check.beyond, position =
    read('>BBBBBI8I8I8I8I4I8I8I2I2B', numbers, position)
  if check.block > 0 then
    check.lock = KEYS[key + 1]
    return check, position, key + 2
  end
  return check, position, key + 1
end

local replies, failures = { write('>I8', now) }, {}
local position, key = 1, 1

local function fail(reply, reason, times)
  replies[#replies + 1] = string.rep(reply, times)
  failures[#failures + 1] = string.rep(failure(reason), times)
end

while key <= #KEYS do
  local kind
  kind, position = read('B', numbers, position)
  if kind == 0 then
    position = next_plain(position)
    local state, failed = count_plain(KEYS[key])
    if failed then
      fail(write('>i8', FAILED), failed, 1)
    else
      replies[#replies + 1] = write('>i8', state)
    end
    key = key + 1
  else
    local check
    check, position, key = unpack_check(position, key)
    local count = max(1, check.size)
    local is_answered, reply
    if check.size == 0 then
      is_answered, reply = pcall(decide_alone, check, now)
    else
      local checks = { check }
      for i = 2, count do
        checks[i], position, key = unpack_check(position + 1, key) -- behind the kind, always 1 within a plan
      end
      is_answered, reply = pcall(decide_plan, checks, now)
    end
    if is_answered then
      replies[#replies + 1] = reply
    else
      fail(write('B', 1), reply, count)
    end
  end
end
return table.concat(replies) .. table.concat(failures)

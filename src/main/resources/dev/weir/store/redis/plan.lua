-- plan.lua: takes a whole batch of checks, decides them at one instant, and answers a reading for each.
--
--   KEYS     for each check its counter, and after it the counter's lock if the check's limit has one; a counter may stand
--            there more than once
--   ARGV[1]  for each check, packed big-endian, either 0 (1 byte: hits in a fixed window that count in any case), window in
--            microseconds (8), limit (8), hits (8), times (4: how many equal checks this one stands for); or 1 (1), algorithm
--            (1), refund (1: 1 any, 2 of one charge), charge (1), role (1: 0 enforcing, 1 quota, 2 shadow), parts (1), window
--            (8), limit (8), capacity (8), hits (8), times (4), block in microseconds (8), instant of the charge (8),
--            descriptor (2), checks of the plan that begins here if they depend on each other (2; else 0), what is known of
--            the rest of the request (1: 0 nothing, 1 some quota passes, 2 it is refused)
--   reply    one string; for each check 0 (1 byte; 2 if it was admitted but not charged), admitted (4), left (8), reset (8),
--            retry (8), for checks that are not 0 slack (4), instant of the charge (8); or, where the counter could not be
--            used, 1 (1 byte), the length (2) and text of Redis's error
--
-- Checks are independent of each other, but those of a plan in which some are charged only if all of it is admitted. Such a
-- plan is tried first. If it is refused, all is read again, only those that are charged in any case are asked once more, and
-- the others are shown what is left then; locks of the first try stay.
--
-- A counter that holds something else (another type, no number) fails its own check or plan only.
--
-- Mirrors   Trial.java; StoreAgreementIT feeds both the same batches and compares every answer.

local ENFORCING, QUOTA = 0, 1
local SOME_QUOTA_PASSES, REFUSED = 1, 2

local function failure(answer)
  local text = string.sub(type(answer) == 'table' and answer.err or tostring(answer), 1, 200)
  return struct.pack('>BI2c0', 1, #text, text)
end

local function reading(kind, c, admitted, left, reset, slack, retry)
  return struct.pack('>BI4I8I8I8I4I8', kind, admitted, left, reset, retry, slack, c.at)
end

-- The counters of one plan, each read once; and their locks.
local function drafts_of(now)
  local counters, locks = {}, {}
  local drafts = { counters = counters, locks = locks }
  function drafts.counter(check)
    local c = counters[check.key]
    if not c then
      c = read_counter(check, now)
      counters[check.key] = c
    end
    return under(c, check)
  end
  function drafts.locked(check)
    if not check.lock then
      return 0
    end
    if not locks[check.lock] then
      locks[check.lock] = locked_for(check.lock, now)
    end
    return locks[check.lock]
  end
  return drafts
end

local function is_tentative(check)
  return check.hits > 0 and check.refund == 0 and check.charge == ON_ADMIT
end

local function is_refused(checks, refused)
  local some_quota, some_quota_passes = false, checks[1].beyond == SOME_QUOTA_PASSES
  if checks[1].beyond == REFUSED then
    return true
  end
  local i = 1
  while i <= #checks do
    local check = checks[i]
    local someone_refused = false
    local descriptor = check.descriptor
    while checks[i] and checks[i].descriptor == descriptor do
      someone_refused = someone_refused or refused[i]
      if refused[i] and checks[i].role == ENFORCING then
        return true
      end
      i = i + 1
    end
    if check.role == QUOTA then
      some_quota = true
      some_quota_passes = some_quota_passes or not someone_refused
    end
  end
  return some_quota and not some_quota_passes
end

local function discard(checks, refused, replies, tried, now)
  local drafts = drafts_of(now)
  for _, check in ipairs(checks) do
    if not is_tentative(check) then
      ask(drafts.counter(check), check, drafts.locked(check))
    end
  end
  for key, left in pairs(tried.locks) do
    drafts.locks[key] = left
  end
  for i, check in ipairs(checks) do
    if is_tentative(check) and not refused[i] then
      local c = drafts.counter(check)
      replies[i] = reading(2, c, after_refund(c, drafts.locked(check)))
    end
  end
  return drafts
end

-- Decides checks that are one plan, or a single one, and writes what they lead to.
local function decide(checks, now)
  local drafts, replies, refused, starting = drafts_of(now), {}, {}, {}
  for i, check in ipairs(checks) do
    local c, locked = drafts.counter(check), drafts.locked(check)
    local admitted, left, reset, slack, retry = ask(c, check, locked)
    refused[i] = admitted == 0
    replies[i] = reading(0, c, admitted, left, reset, slack, retry)
    if check.lock and locked == 0 and check.hits > 0 and check.refund == 0 and admitted < check.times then
      drafts.locks[check.lock] = check.block
      starting[check.lock] = check.block
    end
  end
  if checks[1].size > 0 and is_refused(checks, refused) then
    drafts = discard(checks, refused, replies, drafts, now)
  end
  for _, c in pairs(drafts.counters) do
    write_counter(c)
  end
  for key, length in pairs(starting) do
    write_lock(key, now, length)
  end
  return table.concat(replies)
end

local function unpack_check(position)
  local check = {}
  check.algorithm, check.refund, check.charge, check.role, check.parts, check.window, check.limit, check.capacity,
    check.hits, check.times, check.block, check.charged_at, check.descriptor, check.size, check.beyond, position =
    struct.unpack('>BBBBBI8I8I8I8I4I8I8I2I2B', ARGV[1], position)
  return check, position
end

local now = clock()
local replies = {}
local position, key = 1, 1
while key <= #KEYS do
  local kind
  kind, position = struct.unpack('B', ARGV[1], position)
  if kind == 0 then
    local window, limit, hits, times
    window, limit, hits, times, position = struct.unpack('>I8I8I8I4', ARGV[1], position)
    local admitted, left, reset = count_in_window(KEYS[key], window, limit, hits, times, now)
    replies[#replies + 1] = admitted and struct.pack('>BI4I8I8I8', 0, admitted, left, reset, reset) or failure(left)
    key = key + 1
  else
    local checks, size = {}, 1
    repeat
      local check
      check, position = unpack_check(position)
      check.key, key = KEYS[key], key + 1
      if check.block > 0 then
        check.lock, key = KEYS[key], key + 1
      end
      checks[#checks + 1] = check
      size = max(size, check.size)
      if #checks < size then
        position = position + 1 -- the kind, always 1 within a plan
      end
    until #checks == size
    local is_answered, reply = pcall(decide, checks, now)
    replies[#replies + 1] = is_answered and reply or string.rep(failure(reply), #checks)
  end
end
return table.concat(replies)

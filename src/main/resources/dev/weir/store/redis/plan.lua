-- plan.lua: decides checks that are one plan, or one that stands alone, and writes what they lead to.
--
-- The checks are tried in order and see what those before them charged. If that refuses the request, what would be charged
-- only on admission is dropped: all is read again, only the other checks are asked once more, and say what they read then, and
-- the dropped ones are shown what is left. Who was refused stays so, and locks where it did.
--
-- Mirrors   Trial.java; StoreAgreementIT feeds both the same plans and compares every answer.

local ENFORCING, QUOTA = 0, 1
local SOME_QUOTA_PASSES, REFUSED = 1, 2

local function reading(kind, c, admitted, left, reset, slack, retry)
  return struct.pack('>BI4I8I8I8I4I8', kind, admitted, left, reset, retry, slack, c.at)
end

-- The counters of one plan, each read once; and their locks.
local function draft_of(drafts, check, now)
  local c = drafts.counters[check.key]
  if c then
    return under(c, check)
  end
  c = read_counter(check, now)
  drafts.counters[check.key] = c
  return c
end

local function lock_of(drafts, check, now)
  if not check.lock then
    return 0
  end
  local left = drafts.locks[check.lock] or lock_left(check, now)
  drafts.locks[check.lock] = left
  return left
end

local function starts_lock(check, locked, admitted)
  return check.lock and locked == 0 and check.hits > 0 and check.refund == 0 and admitted < check.times
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

local function discard(checks, refused, replies, tried, starting, now)
  local drafts = { counters = {}, locks = {} }
  for key, left in pairs(tried.locks) do
    drafts.locks[key] = starting[key] and 0 or left
  end
  for i, check in ipairs(checks) do
    local locked = lock_of(drafts, check, now)
    if not is_tentative(check) then
      local c = draft_of(drafts, check, now)
      local admitted, left, reset, slack, retry = ask(c, check, locked)
      if not refused[i] then
        replies[i] = reading(0, c, admitted, left, reset, slack, retry)
      end
    end
    if refused[i] and starts_lock(check, locked, 0) then
      drafts.locks[check.lock] = check.block
    end
  end
  for i, check in ipairs(checks) do
    if is_tentative(check) and not refused[i] then
      local c = draft_of(drafts, check, now)
      replies[i] = reading(2, c, after_refund(c, lock_of(drafts, check, now)))
    end
  end
  return drafts
end

local function decide_plan(checks, now)
  local drafts, replies, refused, starting = { counters = {}, locks = {} }, {}, {}, {}
  for i, check in ipairs(checks) do
    local c, locked = draft_of(drafts, check, now), lock_of(drafts, check, now)
    local admitted, left, reset, slack, retry = ask(c, check, locked)
    refused[i] = admitted == 0
    replies[i] = reading(0, c, admitted, left, reset, slack, retry)
    if starts_lock(check, locked, admitted) then
      drafts.locks[check.lock] = check.block
      starting[check.lock] = check.block
    end
  end
  if is_refused(checks, refused) then
    drafts = discard(checks, refused, replies, drafts, starting, now)
  end
  for _, c in pairs(drafts.counters) do
    write_counter(c)
  end
  for key, length in pairs(starting) do
    write_lock(key, now, length)
  end
  return table.concat(replies)
end

-- A check that waits for no other needs no drafts.
local function decide_alone(check, now)
  local c, locked = read_counter(check, now), lock_left(check, now)
  local admitted, left, reset, slack, retry = ask(c, check, locked)
  write_counter(c)
  if starts_lock(check, locked, admitted) then
    write_lock(check.lock, now, check.block)
  end
  return reading(0, c, admitted, left, reset, slack, retry)
end

-- plan.lua: decides checks that are one plan, or a single one, and writes what they lead to.
--
-- The checks are tried in order and see what those before them charged. If that refuses the request, what would be charged
-- only on admission is dropped: all is read again, only the other checks are asked once more, and the dropped ones are shown
-- what is left then. Locks of the first try stay. A single check, or one of a plan in which nothing waits for the rest, is
-- never dropped.
--
-- Mirrors   Trial.java; StoreAgreementIT feeds both the same plans and compares every answer.

local ENFORCING, QUOTA = 0, 1
local SOME_QUOTA_PASSES, REFUSED = 1, 2

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

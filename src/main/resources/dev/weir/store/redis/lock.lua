-- lock.lua: a counter's lock after a refusal (block_for), under a key of its own beside the counter's.
--
-- It holds the instant of the refusal and its length: an edited rule changes the locks to come, not this one. A lock that
-- began more than its own length ahead of now is none: time stepped back.
--
-- Mirrors   Lock.java; StoreAgreementIT feeds both the same hits and compares every answer.

-- Microseconds for which the counter is locked yet, 0 if it is not.
local function locked_for(key, now)
  local since, length = unpack_cell(redis.call('GET', key), '>I8I8', 16)
  if not since or since - now > length then
    return 0
  end
  return max(0, since + length - now)
end

-- For how long a check meets a lock. Hits that are given back met none when they came: one that holds now began since, over hits
-- that they may have been among, and goes with them.
local function lock_left(check, now)
  local left = check.lock and locked_for(check.lock, now) or 0
  if left > 0 and check.refund == 2 then
    redis.call('DEL', check.lock)
    return 0
  end
  return left
end

local function write_lock(key, now, length)
  redis.call('SET', key, struct.pack('>I8I8', now, length), 'PX', lifetime(length))
end

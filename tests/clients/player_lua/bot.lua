-- A bot written by docs/protocol.md alone, with patterns in place of a reader of JSON.
io.stdout:setvbuf("line")

local function say(line) io.write(line, "\n") end

-- The arrays of a piece's kind, each as a list of the texts of its values.
local function pieces(line, kind)
  local found = {}
  local part = line:match('"' .. kind .. '":(%b{})') or ""
  for values in part:gmatch("%[(.-)%]") do
    local piece = {}
    for value in values:gmatch("[^,]+") do piece[#piece + 1] = value end
    found[#found + 1] = piece
  end
  return found
end

local function far(x, y, to_x, to_y) return math.abs(to_x - x) + math.abs(to_y - y) end

local function decide(line, team)
  local id = line:match('"piece":(%d+)')
  local taken, me, food, enemy = {}, nil, nil, nil
  local slimes, plants = pieces(line, "slimes"), pieces(line, "plants")
  for _, slime in ipairs(slimes) do if slime[1] == id then me = slime end end
  local x, y = tonumber(me[3]), tonumber(me[4])
  local function nearer(best, to_x, to_y)
    taken[to_x .. "," .. to_y] = true
    if best and far(x, y, best[1], best[2]) <= far(x, y, to_x, to_y) then return best end
    return { to_x, to_y }
  end
  for _, plant in ipairs(plants) do food = nearer(food, tonumber(plant[2]), tonumber(plant[3])) end
  for _, rock in ipairs(pieces(line, "rocks")) do nearer(nil, tonumber(rock[2]), tonumber(rock[3])) end
  for _, slime in ipairs(slimes) do
    local best = nearer(enemy, tonumber(slime[3]), tonumber(slime[4]))
    if slime[2] ~= team then enemy = best end
  end
  local goal = food or enemy
  if not goal then return "MERGE" end
  local up = line:find('"y_up":true', 1, true) and 1 or -1
  local ways = { { "LEFT", -1, 0 }, { "RIGHT", 1, 0 }, { "UP", 0, up }, { "DOWN", 0, -up } }
  local columns, rows = tonumber(line:match('"columns":(%d+)')), tonumber(line:match('"rows":(%d+)'))
  local best, least = "MERGE", math.huge
  for _, way in ipairs(ways) do
    local to_x, to_y = x + way[2], y + way[3]
    if to_x == goal[1] and to_y == goal[2] then return "BITE" .. way[1] end
    local is_on_map = to_x >= 0 and to_x < columns and to_y >= 0 and to_y < rows
    if is_on_map and not taken[to_x .. "," .. to_y] and far(to_x, to_y, goal[1], goal[2]) < least then
      best, least = way[1], far(to_x, to_y, goal[1], goal[2])
    end
  end
  return best
end

say('{"type":"hello","protocol":1}')
local team = io.read("l"):match('"team":(%d+)')
say('{"type":"ready"}')
for line in io.lines() do
  local nonce = line:match('"nonce":(%d+)')
  local is_fine, answer = pcall(decide, line, team)
  if is_fine then
    say('{"type":"answer","nonce":' .. nonce .. ',"answer":"' .. answer .. '"}')
  else
    say('{"type":"failed","nonce":' .. nonce .. ',"error":"' .. answer:gsub('[\\"]', "'") .. '"}')
  end
end

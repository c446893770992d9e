-- Tables, sorting, metatables, garbage collection.
local seed = 42
local function random(n)
	seed = (seed * 1103515245 + 12345) % 2147483648
	return seed % n
end
local numbers = {}
for i = 1, 3000 do
	numbers[i] = random(100000)
end
table.sort(numbers)
for i = 2, #numbers do
	assert(numbers[i - 1] <= numbers[i])
end
print(#numbers, numbers[1], numbers[1500], numbers[3000])
table.sort(numbers, function(a, b) return a % 1000 > b % 1000 or (a % 1000 == b % 1000 and a < b) end)
print(numbers[1], numbers[2], numbers[2999], numbers[3000])
print(pcall(table.sort, { 3, 1, 2, 5, 4, 9, 8, 7 }, function() return true end))
print(table.concat({ 1, 2, 3, "x" }, "-", 2, 4), table.unpack({ 1, 2, 3 }, 2), select("#", table.unpack({}, 1, 3)))
local list = { 1, 2, 3 }
table.insert(list, 4)
table.insert(list, 1, 0)
print(table.remove(list), table.remove(list, 1), #list, table.concat(table.move(list, 1, 3, 2), ","))

local Vector = {}
Vector.__index = Vector
function Vector.new(x, y) return setmetatable({ x = x, y = y }, Vector) end
function Vector.__add(a, b) return Vector.new(a.x + b.x, a.y + b.y) end
function Vector.__eq(a, b) return a.x == b.x and a.y == b.y end
function Vector.__lt(a, b) return a.x < b.x end
function Vector.__le(a, b) return a.x <= b.x end
function Vector.__len(a) return a.x * a.x + a.y * a.y end
function Vector.__call(a, k) return Vector.new(a.x * k, a.y * k) end
function Vector.__tostring(a) return "(" .. a.x .. ", " .. a.y .. ")" end
function Vector.__concat(a, b) return tostring(a) .. tostring(b) end
local v, w = Vector.new(1, 2), Vector.new(3, 4)
print(tostring(v + w), v == Vector.new(1, 2), v < w, v <= w, #w, tostring(v(10)), v .. w)
local log = setmetatable({}, { __newindex = function(t, k, x) rawset(t, k, x * 2) end, __index = function(_, k) return k .. "?" end })
log.a = 21
print(log.a, log.b, rawget(log, "b"))

-- A sieve and a matrix product: many instructions.
local sieve, primes = {}, 0
for i = 2, 20000 do
	if not sieve[i] then
		primes = primes + 1
		for k = i * i, 20000, i do
			sieve[k] = true
		end
	end
end
print("primes", primes)
local function matrix(n, f)
	local m = {}
	for i = 1, n do
		m[i] = {}
		for k = 1, n do
			m[i][k] = f(i, k)
		end
	end
	return m
end
local a, b = matrix(30, function(i, k) return i + k end), matrix(30, function(i, k) return i - k end)
local product = matrix(30, function(i, k)
	local sum = 0
	for j = 1, 30 do
		sum = sum + a[i][j] * b[j][k]
	end
	return sum
end)
print(product[1][1], product[15][7], product[30][30])

-- Garbage: weak tables, finalizers, both collectors.
local dead = 0
for _, mode in ipairs({ "incremental", "generational" }) do
	collectgarbage(mode)
	for i = 1, 2000 do
		setmetatable({ i, tostring(i) }, { __gc = function() dead = dead + 1 end })
	end
	collectgarbage()
	collectgarbage()
end
print("finalized", dead)
local weak = setmetatable({}, { __mode = "v" })
weak[1] = {}
weak[2] = numbers
collectgarbage()
print(weak[1], weak[2] == numbers, collectgarbage("count") > 0)

-- The string library: patterns, formats, buffers, packing.
local text = ("The quick brown fox jumps over the lazy dog. "):rep(20)
print(#text, text:upper():sub(1, 20), text:reverse():sub(-9))
print(text:find("lazy"), text:find("l%a+y", 60), text:find("nothing", 1, true))
local counts, words = {}, {}
for word in text:gmatch("%a+") do
	word = word:lower()
	if not counts[word] then
		counts[word] = 0
		words[#words + 1] = word
	end
	counts[word] = counts[word] + 1
end
table.sort(words)
for _, word in ipairs(words) do
	io.write(word, "=", counts[word], " ")
end
io.write("\n")
print((text:gsub("%w+", function(w) return w:sub(1, 1) end)):sub(1, 60))
print((text:gsub("(%w+) (%w+)", "%2 %1", 3)):sub(1, 60))
print(string.format("%5d|%-5d|%05d|%+d|%x|%X|%#x|%o", 42, 42, 42, 42, 255, 255, 255, 8))
print(string.format("%g %g %.3f %10.2f %e %a", 1e100, 0.1, math.pi, -2.5, 12345.678, 1.0))
print(string.format("%s %q %-10s| %10s| %.3s", "x", 'a "quoted"\n\0line', "left", "right", "truncated"))
print(string.format("%c%c%c %i %u %%", 76, 117, 97, 7, 8))
print(("%d items"):format(3), tostring(nil), tostring(true), tostring(1e15), tostring(2^53), 7 // 2, 7 % -3, -7 // 2)
print(string.byte("ABC", 1, -1), string.char(72, 105), ("x"):rep(3, ","))
print(utf8.char(228, 8364, 128512), utf8.len("äöü"), #utf8.char(8364))
for p, c in utf8.codes("aé€") do io.write(p, ":", c, " ") end
print()
local packed = string.pack("<i4 z s1 d", 100000, "zero", "counted", 1.5)
print(#packed, string.unpack("<i4 z s1 d", packed))
local parts = {}
for i = 1, 5000 do
	parts[#parts + 1] = i % 15 == 0 and "FizzBuzz" or i % 5 == 0 and "Buzz" or i % 3 == 0 and "Fizz" or tostring(i)
end
local all = table.concat(parts, ",")
print(#all, all:sub(1, 50), all:sub(-30))
local hash = 5381
for i = 1, #all do
	hash = (hash * 33 + all:byte(i)) & 0xffffffff
end
print(hash, tonumber("0x10"), tonumber("  12.5e1 "), tonumber("abc"), tonumber("zz", 36), tonumber("1e"), "10" + 5, "3" * "4")
print(("abc" < "abd"), ("Z" < "a"), ("" < "a"), "a\0b" < "a\0c", "a\0b" == "a\0b")

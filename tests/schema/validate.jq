# What is wrong with a document, a line for each fault; nothing if it fits its JSON Schema:
#   jq -r --slurpfile schema FILE -f validate.jq DOCUMENT
#
# Knows the part of JSON Schema that our schemas use, and calls anything else in a schema a fault, so that nothing is ignored
# unnoticed. Stricter than the standard in one way: where a schema lists properties and does not say additionalProperties,
# others are faults. A schema for readers is open, what we write is not.

def annotations: ["$schema", "$id", "$comment", "$defs", "title", "description"];
def keywords: ["$ref", "type", "enum", "const", "properties", "required", "additionalProperties", "items", "minItems",
	"uniqueItems", "minimum", "pattern", "anyOf"];

def kind: if type == "number" and . == floor then "integer" else type end;
def fits($type): kind as $k | $k == $type or ($type == "number" and $k == "integer");
def at($path; $text): "\($path): \($text)";

# Both what a $ref names and what stands beside it must hold.
def resolved($root): if has("$ref") then
		(."$ref" | ltrimstr("#/") | split("/")) as $path | . as $own | ($root | getpath($path)) as $target |
		if $target == null then error("no such $ref: \($path)") else ($target | resolved($root)) + ($own | del(."$ref")) end
	else . end;

def faults($root; $unresolved; $path):
	. as $value | ($unresolved | resolved($root)) as $s |
	($s | keys[] | select(IN(annotations[], keywords[]) | not) | at($path; "unknown keyword in the schema: \(.)")),
	(select($s | has("type")) | [$s.type] | flatten | select(all(.[]; . as $t | $value | fits($t) | not)) |
		at($path; "\($value | kind), not \(.)")),
	(select($s | has("enum")) | select(IN($s.enum[]) | not) | at($path; "\(tojson) is not in the list")),
	(select($s | has("const")) | select(. != $s.const) | at($path; "\(tojson) is not \($s.const)")),
	(select($s | has("minimum")) | select(type == "number" and . < $s.minimum) | at($path; "\(.) is too small")),
	(select($s | has("pattern")) | select(type == "string" and (test($s.pattern) | not)) | at($path; "\(tojson) is not like \($s.pattern)")),
	(select($s | has("anyOf")) | select([$s.anyOf[] as $one | [faults($root; $one; $path)] | select(. == [])] == []) |
		at($path; "fits none of anyOf")),
	(select(type == "object") |
		(($s.required // [])[] as $key | select(has($key) | not) | at($path; "no \($key)")),
		(to_entries[] | . as $e | ($path + "." + $e.key) as $below |
			if $s.properties | has($e.key)? // false then $e.value | faults($root; $s.properties[$e.key]; $below)
			elif $s.additionalProperties | type == "object" then $e.value | faults($root; $s.additionalProperties; $below)
			elif $s.additionalProperties != true and ($s | has("properties") or has("additionalProperties")) then at($path; "unknown property \($e.key)")
			else empty end)),
	(select(type == "array") |
		(select(length < ($s.minItems // 0)) | at($path; "too few items")),
		(select($s.uniqueItems == true and length != (unique | length)) | at($path; "the same item twice")),
		(select($s | has("items")) | to_entries[] | .key as $i | .value | faults($root; $s.items; "\($path)[\($i)]")));

$schema[0] as $root | faults($root; $root | del(."$defs"); "document")

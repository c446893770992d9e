# What the scripts of this folder share. Each runs in an empty directory of its own with EVERETT naming the driver.
set -u
: "${EVERETT:?names the driver}"
unset EVERETT_OPTIONS EVERETT_CHECKER NO_COLOR CLICOLOR_FORCE COLUMNS
export LC_ALL=C TMPDIR=$PWD/tmp
mkdir -p tmp
failures=0

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# run STATUS COMMAND...: its standard output and error are in the files out and err afterwards.
run()
{
	local want=$1 got
	shift
	last=$*
	"$@" >out 2>err </dev/null
	got=$?
	[ $got = "$want" ] && return
	fail "$last: status $got, not $want"
	sed 's/^/    /' out err | tail -n 20
}

# has FILE PATTERN...: every basic regular expression matches a line.
has()
{
	local file=$1 pattern
	shift
	for pattern; do
		grep -q -e "$pattern" "$file" && continue
		fail "$last: no '$pattern' in $file"
		sed 's/^/    /' "$file" | tail -n 20
	done
}

hasnot()
{
	grep -q -e "$2" "$1" && fail "$last: '$2' in $1"
}

# Exactly one line on standard error, ours.
one_line()
{
	[ "$(wc -l <err)" = 1 ] && grep -q '^everett: ' err && return
	fail "$last: not one line of ours:"
	sed 's/^/    /' err
}

# until_exists FILE PID: wait for it, for as long as the process is there.
until_exists()
{
	until [ -e "$1" ] || ! kill -0 "$2" 2>/dev/null; do sleep 0.05; done
}

# A checker that does what the script on standard input says; `say RECORD FIELD...` speaks to the driver.
fake_checker()
{
	{
		cat <<-'EOF'
		#!/bin/bash
		words=$EVERETT_CHECKER
		fd=${words#*fd=}
		fd=${fd%% *}
		say() { local IFS=$'\t'; printf '%s\n' "$*" >&"$fd"; }
		finding() { say finding "${1:-assertion}" "a || b" sb.c 17 5 main 0 4 "${2:-0.1.0}" "printed\\n" "" 0 0 0 0; }
		EOF
		cat
	} >"$1"
	chmod +x "$1"
}

# No temporary file may be left; ends the script.
finish()
{
	[ -z "$(ls -A tmp)" ] || fail "files are left: $(ls -A tmp)"
	exit $((failures > 0))
}

# Is there a gdb that scripts can be run in?
has_gdb()
{
	gdb -q -nx -batch -ex 'python print(6 * 7)' 2>/dev/null | grep -q '^42$'
}

# Other checkers on the programs of this folder, nidhugg and genmc, if they are on PATH. To be sourced by bash.
#
#   peers_find      sets the array `peers`, and says on standard output which of them is not there
#   peers_startup   sets peer_startup[TOOL]: CPU seconds that TOOL takes for a program that does nothing, the least of three runs
#   peer_run TOOL MODEL/ENGINE FILE [OPTION...]
#                   run TOOL as that engine of Everett's would be; the options are Everett's: -D..., -u N, --no-races
#
# What peer_run sets:
#
#   peer_verdict    ok; error: it found one; failed: no result; timeout: after PEER_TIMEOUT seconds; unsupported: it was not run
#   peer_reason     of the last three, why
#   peer_count      executions, and peer_blocked: those that ended early; empty without a result
#   peer_seconds    CPU time without start-up, children included; empty without a result
#   peer_counts     what there is one execution for: traces, or rf, the classes of reads-from
#
# Variables: PEER_TIMEOUT (600), NIDHUGG_CFLAGS, GENMC_CFLAGS: more options for the tool's compiler, NIDHUGG_FLAGS, GENMC_FLAGS: for itself.
#
# The time that the tools print is wall-clock time, so it is of no use here. What they print and take has been the same for years, except
# as noted below.

peers_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
declare -A peer_command=([nidhugg]=nidhuggc [genmc]=genmc) peer_startup=()
# Later versions of nidhugg let updates commute under SC, so that traces are no longer Mazurkiewicz's. Earlier ones know no such option.
nidhugg_traces=()
peers=()

peers_find() {
	local tool
	peers=()
	for tool in nidhugg genmc; do
		if command -v "${peer_command[$tool]}" >/dev/null; then
			peers+=("$tool")
		else
			echo "$tool is not on PATH: its columns are left out"
		fi
	done
}

# The option of nidhugg for a model and an engine. Optimal DPOR is there for SC and TSO, reads-from for SC, source DPOR for all.
nidhugg_options() {
	case $1 in
	sc/traces) peer_options=(-sc -optimal "${nidhugg_traces[@]}") ;;
	sc/rf) peer_options=(-sc -rf "${nidhugg_traces[@]}") ;;
	tso/traces) peer_options=(-tso -optimal) ;;
	pso/traces) peer_options=(-pso -source) ;;
	*) return 1 ;;
	esac
	peer_counts=${1#*/}
	# Without it a mutex is unknown that was initialised statically.
	peer_options+=(-disable-mutex-init-requirement)
}

# genmc tells executions apart by their coherence orders, too. Under RA that is what there is to compare rf with, and what paper 000 did.
genmc_options() {
	case $1 in
	sc/traces | tso/traces) peer_options=(-"${1%/*}") ;;
	ra/rf) peer_options=(-ra) ;;
	*) return 1 ;;
	esac
	peer_counts=traces
	peer_options+=(-disable-estimation -disable-mm-detector)
}

peer_give_up() {
	peer_verdict=$1 peer_reason=$2
	return 1
}

# Everett's options become peer_options and peer_defines.
peer_translate() {
	local tool=$1
	shift
	while [ $# -gt 0 ]; do
		case $1 in
		-D*) peer_defines+=("$1") ;;
		-u)
			peer_options+=(-unroll="${2:-}")
			shift
			;;
		-u*) peer_options+=(-unroll="${1#-u}") ;;
		# nidhugg looks for none.
		--no-races) [ "$tool" = nidhugg ] || peer_options+=(-disable-race-detection) ;;
		*) peer_give_up unsupported "$tool has no option that is like $1" || return ;;
		esac
		shift
	done
}

# peer_call TOOL FILE: with peer_options and peer_defines. Its output is in $peer_scratch/out; sets peer_status, and peer_cpu in seconds.
peer_call() {
	local tool=$1 file=$2 flags times started=$EPOCHREALTIME
	local -n more=${tool^^}_FLAGS cflags=${tool^^}_CFLAGS
	flags=(-DEVERETT_VERIFIER -I"$peers_folder/../../include" "${peer_defines[@]}")
	local command=(genmc "${peer_options[@]}" ${more:-} -- "${flags[@]}" ${cflags:-} "$file")
	# Its manual compiles with -O2; genmc has passes of its own instead.
	[ "$tool" = genmc ] || command=(nidhuggc -O2 "${flags[@]}" ${cflags:-} -- "${peer_options[@]}" ${more:-} "$file")
	# They leave temporary files behind if they are killed.
	peer_status=0
	times=$(
		export LC_ALL=C TMPDIR=$peer_scratch TIMEFORMAT='%3U %3S'
		{ time timeout -k 0.5 "${PEER_TIMEOUT:-600}" "${command[@]}" >"$peer_scratch/out" 2>&1 </dev/null; } 2>&1
	) || peer_status=$?
	# 137 is a time-out, too, of one that would not end; but not if somebody else has killed it, for its memory for instance.
	[ $peer_status != 137 ] || awk "BEGIN { exit !($EPOCHREALTIME - $started < ${PEER_TIMEOUT:-600}) }" || peer_status=124
	peer_cpu=$(tail -n 1 <<<"$times" | LC_ALL=C awk '{ printf "%.3f", $1 + $2 }')
}

# The sum of the numbers behind these words, each at the start of a line; the status is 1 if there is none.
peer_sum() {
	local words
	words=$(IFS='|' && echo "$*")
	LC_ALL=C awk -v words="^($words): [0-9]+( |\$)" '$0 ~ words { sub(/^[^:]*: /, ""); sum += $1; found = 1 }
		END { printf "%d", sum; exit !found }' "$peer_scratch/out"
}

# What is in $peer_scratch/out after peer_call.
peer_read() {
	local counted blocked
	if [ "$1" = nidhugg ]; then
		counted='Trace count'
		blocked=('Sleepset-blocked trace count' 'Assume-blocked trace count' 'Await-blocked trace count')
	else
		counted='Number of complete executions explored'
		blocked=('Number of blocked executions seen')
	fi
	case $peer_status in
	0) peer_verdict=ok ;;
	42) peer_verdict=error ;;
	124)
		peer_give_up timeout "more than ${PEER_TIMEOUT:-600} s" || return
		;;
	*)
		peer_give_up failed "exit status $peer_status: $(grep . "$peer_scratch/out" | tail -n 1)" || return
		;;
	esac
	if ! peer_count=$(peer_sum "$counted"); then
		peer_count=
		peer_give_up failed "exit status $peer_status, but no '$counted': $(grep . "$peer_scratch/out" | tail -n 1)" || return
	fi
	peer_blocked=$(peer_sum "${blocked[@]}") || true # such lines are there only if the number is not 0
}

peer_clear() {
	peer_verdict= peer_reason= peer_count= peer_blocked= peer_seconds= peer_counts= peer_options=() peer_defines=()
	peer_scratch=$(mktemp -d "${work:-${TMPDIR:-/tmp}}/peer.XXXXXX")
}

peer_run() {
	local tool=$1
	peer_clear
	peer_try "$@" || true
	rm -rf "$peer_scratch"
	[ "$peer_verdict" = ok ] || [ "$peer_verdict" = error ] || return 0
	peer_seconds=$(LC_ALL=C awk -v all="$peer_cpu" -v startup="${peer_startup[$tool]:-0}" \
		'BEGIN { printf "%.3f", (all > startup ? all - startup : 0) }')
}

peer_try() {
	local tool=$1 pair=$2 file=$3 word
	"${tool}_options" "$pair" || peer_give_up unsupported "$tool has nothing like $pair" || return
	peer_translate "$tool" "${@:4}" || return
	# Neither has them: see everett.h.
	word=$(grep -ow -e everett_choose -e everett_loop_bound "$file" | head -n 1) || true
	[ -z "$word" ] || peer_give_up unsupported "$tool has nothing like $word, which the program calls" || return
	peer_call "$tool" "$file"
	peer_read "$tool"
}

peers_startup() {
	local tool
	for tool in "${peers[@]}"; do
		peer_clear
		peer_startup[$tool]=0
		# The headers are part of what is taken off.
		printf '#include "papers.h"\nint main(void)\n{\n\treturn 0;\n}\n' >"$peer_scratch/empty.c"
		peer_defines=(-I"$peers_folder")
		if [ "$tool" = nidhugg ]; then
			nidhugg_traces=(-no-commute-rmws)
			nidhugg_options sc/traces
			peer_call nidhugg "$peer_scratch/empty.c"
			[ "$peer_status" = 0 ] || nidhugg_traces=()
		fi
		"${tool}_options" sc/traces
		for _ in 1 2 3; do
			peer_call "$tool" "$peer_scratch/empty.c"
			if ! peer_read "$tool"; then
				echo "$tool: $peer_verdict on a program that does nothing: $peer_reason"
				break
			fi
			echo "$peer_cpu" >>"$peer_scratch/times"
		done
		[ -f "$peer_scratch/times" ] && peer_startup[$tool]=$(sort -n "$peer_scratch/times" | head -n 1)
		rm -rf "$peer_scratch"
	done
}

# Every program of bench/papers that takes less than ten seconds, and fifty random ones, explored by 2, 4 and 8 ranks on this machine, and on two and three hosts: counts and
# findings are those of one process. Without -k, the first finding of the ranks is one of them. An hour or two. SHARE=N: only every N-th search; FIRST: which of the first N.
# set: long
. "$TOP/tests/mpi/lib.bash"
. "$TOP/tests/mpi/hosts.bash"
share=${SHARE:-1} first=${FIRST:-0} tried=0 long=0 found=0 number=0
if [ "$(id -u)" != 0 ] || ! hosts_up 3 2>err; then
	echo "needs the right to make network namespaces: $(tail -n 1 err)"
	exit 77
fi

# everywhere STATUS NAME WORD...: ranks on this machine and on hosts agree with what is expected.
everywhere()
{
	local n status=$1 name=$2
	shift 2
	for n in 2 4 8; do
		rm -f ranks.json
		run $status ranks $n "$@"
		same "$name, $n ranks"
	done
	for n in 2 3; do
		rm -f ranks.json
		run $status on_hosts $n 1 "$mpi" "$@"
		same "$name, $n hosts"
	done
}

# The first finding ends the search: it is one of those that one process has found.
compare_first()
{
	local all one n
	all=$(jq -r '.results[0].findings[] | "\(.kind) \(.file):\(.line)"' one.json)
	for n in 2 3; do
		rm -f ranks.json
		run 1 on_hosts $n 1 "$mpi" "$@"
		one=$(jq -r '.results[0].findings[0] | "\(.kind) \(.file):\(.line)"' ranks.json)
		grep -qxF -- "$one" <<<"$all" || fail "$last: '$one' is none of: $all"
	done
	found=$((found + 1))
}

# compare MODEL ENGINE OPTIONS CHECKER ARGUMENTS
compare()
{
	local status=0
	local -a words=(-q -m "$1" -e "$2" $3 "$4")
	number=$((number + 1))
	[ $((number % share)) = $((first % share)) ] || return 0
	[ -z "$5" ] || words+=(-- $5)
	"$EVERETT" run -k --json one.json --timeout 10 "${words[@]}" >out 2>err </dev/null || status=$?
	if [ $status -gt 1 ] || ! jq -e '.results[0].complete' one.json >/dev/null; then
		long=$((long + 1))
		return 0
	fi
	what one.json >expected
	tried=$((tried + 1))
	everywhere $status "$4 $1/$2 $5" run -k --json ranks.json "${words[@]}"
	[ $status = 0 ] || compare_first run --json ranks.json "${words[@]}"
}

# Each search of the tables once.
grep -v '^#' "$TOP/bench/papers/table" | awk -F'|' '!seen[$1 $2 $3]++' >searches
while IFS='|' read -r program options engine _; do
	program=${program// /}
	[[ $program != */* && -n $program ]] || continue
	read -r engine <<<"$engine"
	case $engine in */rf | */traces | */none) ;; *) continue ;; esac
	defines=() unroll=
	for word in $options; do
		if [[ $word == -D* ]]; then defines+=("$word"); else unroll+="$word "; fi
	done
	if [ $(((number + 1) % share)) = $((first % share)) ]; then
		run 0 "$EVERETT" cc "${defines[@]}" "$TOP/bench/papers/$program.c" -o checker
	fi
	compare "${engine%/*}" "${engine#*/}" "$unroll" ./checker ''
done <searches

"${EVERETT%/*}/randprog" 4000 50 >random.c
run 0 "$EVERETT" cc -I "$TOP/include" random.c -o random
models=(sc tso pso ra rc11)
for ((i = 0; i < 50; i++)); do
	compare "${models[i % 5]}" rf '' ./random "$i"
done
echo "$tried searches were compared, $found of them with findings; $long take too long"
[ $tried -gt 0 ] || fail 'nothing was compared'
finish

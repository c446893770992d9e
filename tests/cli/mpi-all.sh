# Every program of bench/papers that takes less than ten seconds, and fifty random ones, explored by 2, 4 and 8 ranks: counts and findings are those of one process. Half an
# hour. SHARE=N: only every N-th.
# set: long
. "$TOP/tests/mpi/lib.bash"
share=${SHARE:-1} tried=0 long=0 number=0

# compare MODEL ENGINE OPTIONS CHECKER ARGUMENTS
compare()
{
	local n status=0
	local -a words=(run -k -q -m "$1" -e "$2" $3 "$4")
	[ -z "$5" ] || words+=(-- $5)
	"$EVERETT" "${words[@]::1}" --json one.json --timeout 10 "${words[@]:1}" >out 2>err </dev/null || status=$?
	if [ $status -gt 1 ] || ! jq -e '.results[0].complete' one.json >/dev/null; then
		long=$((long + 1))
		return
	fi
	what one.json >expected
	tried=$((tried + 1))
	for n in 2 4 8; do
		rm -f ranks.json
		run $status ranks "$n" "${words[@]::1}" --json ranks.json "${words[@]:1}"
		same "$4 $1/$2 $5, $n ranks"
	done
}

while IFS='|' read -r program options engine _; do
	program=${program// /}
	[[ $program != */* ]] || continue
	case $program in '#'* | '') continue ;; esac
	read -r engine <<<"$engine"
	case $engine in */rf | */traces | */none) ;; *) continue ;; esac
	number=$((number + 1))
	[ $((number % share)) = 0 ] || continue
	defines=() unroll=
	for word in $options; do
		if [[ $word == -D* ]]; then defines+=("$word"); else unroll+="$word "; fi
	done
	"$EVERETT" check -q -m sc -e none --max-executions 1 --keep checker "${defines[@]}" "$TOP/bench/papers/$program.c" >out 2>err </dev/null
	[ -x checker ] || fail "$program: not compiled"
	compare "${engine%/*}" "${engine#*/}" "$unroll" ./checker ''
done <"$TOP/bench/papers/table"

"${EVERETT%/*}/randprog" 4000 50 >random.c
run 0 "$EVERETT" cc -I "$TOP/include" random.c -o random
models=(sc tso pso ra rc11)
for ((i = 0; i < 50; i += share)); do
	compare "${models[i % 5]}" rf '' ./random "$i"
done
echo "$tried searches were compared, $long take too long"
[ $tried -gt 0 ] || fail 'nothing was compared'
finish

# What tests/cli/mpi*.sh share: jobs of several ranks on this machine, whose results are compared with those of one process.
. "$TOP/tests/cli/lib.bash"
mpi=${EVERETT%/*}/everett-mpi
[ -x "$mpi" ] || {
	echo "$mpi was not built: make mpi"
	exit 1
}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1

# ranks N WORD...: everett-mpi on N ranks.
ranks()
{
	local n=$1
	shift
	mpirun --quiet -n "$n" "$mpi" "$@"
}

# what REPORT: what must not depend on who explores.
what()
{
	jq -c '.results[] | [.model, .verdict, .complete, .executions, .blocked, .truncated,
		([.findings[] | "\(.kind) \(.file):\(.line)"] | sort)]' "$1"
}

# same NAME STATUS: the report ranks.json is that of one.json.
same()
{
	what ranks.json >got 2>&1
	cmp -s expected got && return
	fail "$last: $1: $(cat expected) by one process, $(cat got) by several ranks"
}

# agree CHECKER MODEL "N..." WORD...: that many ranks find what one process does.
agree()
{
	local checker=$1 model=$2 n status=0
	"$EVERETT" run -q -k -m "$model" --json one.json "${@:4}" "$checker" >out 2>err </dev/null || status=$?
	what one.json >expected
	for n in $3; do
		rm -f ranks.json
		run $status ranks "$n" run -q -k -m "$model" --json ranks.json "${@:4}" "$checker"
		same "$checker $model, $n ranks"
	done
}

# paper PROGRAM WORD...: one of bench/papers, as ./PROGRAM.
paper()
{
	run 0 "$EVERETT" cc "${@:2}" "$TOP/bench/papers/$1.c" -o "$1"
}

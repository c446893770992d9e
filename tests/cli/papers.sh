# The papers' programs have the papers' numbers of executions, and their verdicts (bench/papers).
# set: slow
"$TOP/bench/papers/run.sh"

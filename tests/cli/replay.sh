#!/bin/bash
# A saved finding is run again, and must be the same one.
. "$(dirname "$0")/lib.bash"

fake_checker two <<'EOF'
say hello sc none
case $words in
*replay=0.1.0*) finding assertion 0.1.0; say done 0 "" 1 0 0 0 24 0.5 3100 ;;
*replay=9.9*) finding deadlock 9.9; say done 0 "" 1 0 0 0 24 0.5 3100 ;;
*replay=*) say done 1 "" 1 0 0 0 24 0.5 3100 ;;
*) finding assertion 0.1.0; finding deadlock 9.9; finding crash 8; say done 1 "" 4 0 0 0 24 0.5 3100 ;;
esac
printf '%s %s\n' "$words" "$*" >>log
EOF
run 1 "$EVERETT" run -k -u 4 --spurious-cas=3 --json r.json ./two -- x "y z"
has out 'replay: everett replay r.json$' 'replay: everett replay --finding 2 r.json'
has err '(complete: yes within 3 spurious failures per thread; 3 findings; '
run 1 "$EVERETT" replay --trust-report r.json
has out '^sb.c:17:5: assertion'
has log 'model=sc engine=none unroll=4 spurious-cas=3 replay=0.1.0 x y z$'
run 1 "$EVERETT" replay --trust-report --finding 2 r.json; has out '^sb.c:17:5: deadlock'
run 1 "$EVERETT" replay --trust-report --finding 2 --model sc -q r.json; [ -s out ] && fail "-q prints"
run 4 "$EVERETT" replay --trust-report --finding 3 r.json
has err 'did not reproduce the finding: expected crash at sb.c:17, got no finding'
run 2 "$EVERETT" replay --trust-report --finding 4 r.json; one_line; has err "has 3 findings, not 4"
run 2 "$EVERETT" replay --trust-report --model tso r.json; one_line; has err "no finding under that model"
rm two
run 2 "$EVERETT" replay --trust-report r.json; one_line; has err "cannot open './two'"
finish

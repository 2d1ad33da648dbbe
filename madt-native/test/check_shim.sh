#!/bin/sh
# Checks a part of what is to hold for libmadt.so. check_shim.sh OUT PART: OUT is the folder with the
# build; the parts run at the same time:
#
#   library   what it needs, what it exports, that its handlers call nothing outside it
#   trap      programs run under engine trap as they do alone
#   splice    the same under engine splice
#   signals   a signal at each instruction of what engine splice has written
#   begin     text that programs change, and recordings that begin in the middle
#
# Prints one line a check and a count; exit status 1 if any fails.
set -u
out=$1
part=$2
shim=$(cd "$out" && pwd)/libmadt.so
# How much of everything: one round is of one case of each kind.
rounds=${MADT_ROUNDS:-1}
passed=0
failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/madt-check.XXXXXX")
trap 'rm -rf "$work"' EXIT

verdict() {
	if [ "$2" = 0 ]; then
		passed=$((passed + 1))
		echo "ok      $1"
	else
		failed=$((failed + 1))
		echo "FAILED  $1"
	fi
}

# same WHAT WANTED GOT: true if the files are equal; prints what differs.
same() {
	diff "$2" "$3" >"$work/difference" && return 0
	echo "$1 (<: wanted, >: got):"
	head -n 40 "$work/difference"
	return 1
}

# objects SOURCE…: their object files.
objects() {
	printf "$out/%s.o\n" "$@"
}

check_library() {
	needed=$(readelf -d "$shim" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
	[ "$needed" = libc.so.6 ]
	verdict "needs libc alone (needs: $(echo $needed))" $?

	sed -e '/^local/,$d' shim/shim.map | grep -o '[A-Za-z_0-9]*;' | tr -d ';' | sort >"$work/wanted"
	nm -D --defined-only "$shim" | awk '{print $3}' | sort >"$work/exported"
	same "exported functions" "$work/wanted" "$work/exported"
	verdict "exports $(wc -l <"$work/exported") functions, those of shim.map" $?

	readelf -d "$shim" | grep -q INITFIRST
	verdict "is initialised first" $?

	nm --defined-only $(objects shim/*/*.[cS]) | awk 'NF == 3 {print $3}' | sort -u >"$work/own"
	# What handlers run is in all rooms but these two, whose code runs where the program's does.
	handled=$(ls shim/*/*.[cS] | grep -v '^shim/wrap/\|^shim/start/')
	nm -u $(objects $handled) |
			awk 'NF == 2 && $2 != "_GLOBAL_OFFSET_TABLE_" &&
				$2 !~ /^__(ehdr_start|(start|stop)_madt_(sys|loads))$/ {print $2}' |
			sort -u >"$work/undefined"
	foreign=$(comm -23 "$work/undefined" "$work/own")
	exported=$(comm -12 "$work/undefined" "$work/wanted")
	[ -s "$work/undefined" ] && [ -z "$foreign$exported" ]
	verdict "handlers call nothing outside the shim and nothing interposed ($foreign$exported)" $?

	"$out/test/scan_maps" >"$work/scan.out"
	scanned=$?
	verdict "memory that the kernel has joined is told apart" $scanned
	[ $scanned = 0 ] || cat "$work/scan.out"
}

engine=
# run NAME LEAST COMMAND…: under the recorder as alone, and at least LEAST accesses recorded.
run() {
	name=$1$engine
	least=$2
	shift 2
	timeout 900 "$@" >"$work/native.out" 2>"$work/native.err" </dev/null
	native=$?
	timeout 900 "$out/test/recorder" "$shim" "$work/events" "main$engine" "$@" >"$work/madt.out" \
			2>"$work/madt.err" </dev/null
	status=$?
	count=$(grep -c '^access' "$work/events")
	same "stdout of $name" "$work/native.out" "$work/madt.out" &&
			same "stderr of $name" "$work/native.err" "$work/madt.err" &&
		[ $native = $status ] && [ "$count" -ge "$least" ]
	verdict "$name: status $status as alone ($native), same output, \
$count accesses (at least $least)" $?
}

check_programs() {
	for program in signals children stacks waits dropped attributes gs threads processes mappings \
			faults contexts kernel_threads many closed robust i386; do
		run $program 1000 "$out/test/$program"
	done
	run lent 3000 "$out/test/lent"
	run map_threads 1000 "$out/test/map_threads" "${MADT_STRESS_SECONDS:-2}"
	run stress 200 "$out/test/stress" "${MADT_STRESS_SECONDS:-5}"
	run ls 1000 ls -l /usr
	run sort 1000 sort /etc/passwd
	run sh 1000 sh -c 'echo one | sed s/one/two/; (exit 3)'

	"$out/test/recorder" "$shim" "$work/events" "main$engine" "$out/test/instructions" \
			>"$work/expected" </dev/null
	compared=$(awk -f test/match_area.awk "$work/expected" "$work/events")
	verdict "instructions$engine: $(echo $compared)" $?

	timeout 900 "$out/test/recorder" "$shim" "$work/events" "main$engine" "$out/test/jumps" \
			>"$work/madt.out" </dev/null
	stores=$(grep -c '^block W .* 0x1b\(59\|5c\|5f\|62\|63\|64\)$' "$work/events")
	blocks=$(grep -c '^event 1 [0-9]* 0x[0-9a-f]* \(6002\|6005\|6008\) ' "$work/events")
	echo "left 9 times" >"$work/wanted"
	same "stdout of jumps$engine" "$work/wanted" "$work/madt.out" && [ "$stores" = 6 ] &&
			[ "$blocks" = 3 ]
	verdict "jumps$engine: $stores of 6 stores and $blocks of 3 allocations \
behind jumps out of interposed functions" $?

	setarch -R "$out/test/calls" >"$work/native.out" 2>"$work/native.err" </dev/null
	timeout 900 "$out/test/recorder" "$shim" "$work/events" "main$engine" "$out/test/calls" \
			>"$work/madt.out" 2>"$work/expected" </dev/null
	same "stdout of calls$engine" "$work/native.out" "$work/madt.out" &&
			same "stderr of calls$engine" "$work/native.err" "$work/expected"
	verdict "calls$engine: same results as alone" $?
	compared=$(awk -f test/match_calls.awk "$work/expected" "$work/events")
	verdict "calls$engine: $(echo $compared)" $?

	setarch -R "$out/test/transfers" >"$work/native.out" 2>/dev/null </dev/null
	timeout 900 "$out/test/recorder" "$shim" "$work/events" "main$engine" "$out/test/transfers" \
			>"$work/madt.out" 2>"$work/made" </dev/null
	compared=$(awk -f test/match_transfers.awk "$work/made" "$work/events" &&
			diff "$work/native.out" "$work/madt.out")
	verdict "transfers$engine: $(echo $compared)" $?
}

check_shared_pages() {
	timeout 900 "$out/test/recorder" "$shim" "$work/events" main "$out/test/shared_pages" \
			>"$work/made" </dev/null
	compared=$(awk -f test/match_shared.awk "$work/made" "$work/events")
	verdict "shared pages: $(echo $compared)" $?
}

# A signal at each instruction of trampolines, and of the way of system calls: see trampolines.c and
# direct.c.
# signals_everywhere START PROGRAM RIGHT [LIBRARY]: RIGHT is what the program says of its rounds
# besides. START marker: nothing is recorded; often: not yet, and there have been many calls; times:
# from main on, and how long calls take is recorded too.
signals_everywhere() {
	start=$1
	program=$2
	right=$3
	shift 3
	rm -f "$work/made" # what the check before has left is no sign that this one has begun
	window=$start
	[ $start = often ] && window=marker
	[ $start = times ] && window=main:times
	if [ $program = outs ]; then
		probed ends outs probed probed_aside "$work/fifo" >"$work/made" &
	else
		timeout 900 "$out/test/recorder" "$shim" "$work/events" "$window:splice" \
				"$out/test/$program" "$work/fifo" "$start" >"$work/made" </dev/null &
	fi
	recorder=$!
	while ! grep -qs . "$work/made" && kill -0 $recorder 2>/dev/null; do sleep 0.05; done
	sent=$(head -n 1 "$work/made" |
			timeout 900 "$out/test/trampoline_signals" "$work/fifo" "/test/$program" "$@")
	wait $recorder
	compared=$(awk -f test/match_rounds.awk "$work/made" "$work/events")
	matched=$?
	[ $window = marker ] && [ "${compared#0 accesses in 0 rounds,}" != "$compared" ] && matched=0
	tail -n 1 "$work/made" | grep -q " 0 wrong, [1-9][0-9]* signals, 0 astray, $right" &&
			[ -n "$sent" ] && [ $matched = 0 ] &&
			{ [ $program != trampolines ] || [ "${sent#*, 0 times at a springboard}" = "$sent" ]; }
	verdict "$start: signals at $sent of $program: $(tail -n 1 "$work/made"); $compared" $?
}

check_signals() {
	mkfifo "$work/fifo"
	signals_everywhere main trampolines "0 lost"
	signals_everywhere main direct "0 spoilt" libmadt.so
	if [ "$rounds" -gt 1 ]; then
		signals_everywhere times direct "0 spoilt" libmadt.so
		signals_everywhere marker direct "0 spoilt" libmadt.so
	fi
	signals_everywhere often direct "0 spoilt" libmadt.so
	signals_everywhere main outs "0 spoilt" libmadt.so
}

check_mended() {
	timeout 900 "$out/test/recorder" "$shim" "$work/events" main:splice "$out/test/mended" \
			>"$work/madt.out" 2>"$work/made" </dev/null
	compared=$(awk -f test/match_mended.awk "$work/made" "$work/events")
	right=$?
	"$out/test/mended" 2>/dev/null </dev/null >"$work/native.out"
	same "stdout of mended" "$work/native.out" "$work/madt.out" && [ $right = 0 ]
	verdict "mended: $compared" $?
}

# probed WHICH PROGRAM FIRST LAST ARGUMENT…: PROGRAM under the recorder, from main on, with the probes
# that recorder_probes.h calls so, from the first of two functions to the last.
probed() {
	which=$1
	program=$(cd "$out/test" && pwd)/$2
	from=$(nm "$program" | awk -v name="$3" '$3 == name { print $1 }')
	to=$(nm -S "$program" | awk -v name="$4" '$4 == name { print $1, $2 }')
	shift 4
	MADT_TEST_PROBES=$(printf '%x:%x:%s' $((0x$from)) $((0x${to% *} + 0x${to#* })) "$which") \
			timeout 900 "$out/test/recorder" "$shim" "$work/events" main:splice "$program" "$@" </dev/null
}

# See probes.c. The loop of its function goes round 37 times.
check_probes() {
	probed cells probes probed probed >"$work/made" 2>"$work/said"
	status=$?
	sed -n 's/^probe 4 0x[0-9a-f]* 0x[0-9a-f]* \(.*\) 0x[0-9a-f]*$/\1/p' "$work/events" >"$work/seen"
	turns=$(grep '^probe 8 ' "$work/events" | sort | uniq -c | sort -rn | awk '{ print $1; exit }')
	calls=$(grep -c . "$work/made")
	same "words of probes" "$work/made" "$work/seen" && [ $status = 0 ] && [ "$calls" -gt 0 ] &&
			[ "$turns" = $((calls * 37)) ]
	verdict "probes: $calls calls with $turns rounds; $(cat "$work/said")" $?

	probed texts probes told told texts >"$work/made" 2>"$work/said"
	status=$?
	sed -n 's/^text 0x[0-9a-f]* //p' "$work/events" >"$work/seen"
	same "texts of probes" "$work/made" "$work/seen" && [ $status = 0 ] &&
			[ "$(cut -d ' ' -f 1 "$work/made" | sort -u | wc -l)" = 3 ]
	verdict "probes: $(grep -c . "$work/made") texts; $(cat "$work/said")" $?
}

# System calls of a function, by their numbers, as strace counts them: it names the address behind.
# One that another thread interrupts takes two lines, of which the second one is "resumed".
check_calls_made() {
	command -v strace >"$work/found" && setarch -R strace -o "$work/found" true || return 0
	probed systems probes called called systems >"$work/madt.out"
	status=$?
	setarch -R strace -f -i -n -o "$work/traced" "$program" systems >"$work/native.out" </dev/null
	sed -n 's/^probe 11 \(0x[0-9a-f]*\) \(.*\)$/\1 \2/p' "$work/events" |
			while read -r at number; do echo $((at + 2)) $((number)); done | sort >"$work/seen"
	at=$(head -n 1 "$work/seen" | cut -d ' ' -f 1)
	sed -n '/<\.\.\. .* resumed>/!s/^[0-9]* *\[ *\([0-9]*\)\] \[0*\([0-9a-f]*\)\] .*/\1 0x\2/p' \
			"$work/traced" |
			while read -r number from; do echo $((from)) $number; done | grep "^$at " | sort >"$work/wanted"
	same "system calls" "$work/wanted" "$work/seen" && same "stdout" "$work/native.out" \
			"$work/madt.out" && [ $status = 0 ] && [ "$(wc -l <"$work/seen")" -gt 50 ]
	verdict "probes: $(wc -l <"$work/seen") system calls, as strace counts them" $?
}

# Functions that probes call: see outs.c.
check_outs() {
	probed calls outs probed probed_aside sums >"$work/made" 2>"$work/said"
	status=$?
	awk '$1 == "probe" && ($2 == 4 || $2 == 5) { print $4 }' "$work/events" >"$work/seen"
	places=$(grep '^probe' "$work/events" | cut -d ' ' -f 2,3 | sort -u | wc -l)
	same "registers that a function sees" "$work/made" "$work/seen" && [ $status = 0 ] &&
			[ "$places" -gt 15 ]
	verdict "outs: calls of $places probes see the registers; $(cat "$work/said")" $?

	probed calls outs probed probed_aside steps >"$work/made"
	verdict "outs: its own steps: $(cat "$work/made")" $?

	storms=2
	[ "$rounds" = 1 ] || storms=6
	probed calls outs probed probed_aside storm $storms >"$work/made"
	verdict "outs: in threads, children and handlers: $(cat "$work/made")" $?
}

# Recording begins while threads are in the code that is patched: see begin.c.
check_begin() {
	seeds='1 200'
	[ "$rounds" = 1 ] || seeds='1 40 200 700'
	for seed in $seeds; do
		timeout 300 "$out/test/recorder" "$shim" "$work/events" marker:splice "$out/test/begin" $seed \
				>"$work/made" 2>"$work/said" </dev/null
		status=$?
		compared=$(awk -f test/match_begin.awk "$work/made" "$work/events")
		right=$?
		[ $right = 0 ] && [ $status = 0 ]
		verdict "begin $seed: $(echo $compared); $(tail -n 1 "$work/said")" $?
	done
}

# Windows open and close while threads are in the midst of records: see windows.c.
check_windows() {
	windows=30
	[ "$rounds" = 1 ] || windows=500
	timeout 300 "$out/test/recorder" "$shim" "$work/events" marker:splice "$out/test/windows" \
			$windows >"$work/made" 2>"$work/said" </dev/null
	status=$?
	compared=$(awk -f test/match_begin.awk "$work/made" "$work/events")
	right=$?
	[ $right = 0 ] && [ $status = 0 ]
	verdict "windows: $windows; $(echo $compared)" $?
}

case $part in
library) check_library ;;
trap)
	check_programs
	check_shared_pages
	;;
splice)
	engine=:splice
	check_programs
	;;
signals) check_signals ;;
begin)
	check_mended
	check_probes
	check_calls_made
	check_outs
	check_begin
	check_windows
	;;
*)
	echo "check_shim.sh: no part '$part'" >&2
	exit 2
	;;
esac

echo "shim, $part: $passed passed, $failed failed"
[ $failed = 0 ]

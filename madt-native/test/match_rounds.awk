# The accesses of each round of trampolines.c or direct.c (first file: what it printed first) must be
# those of the first round, or with every third round a beginning of them: a signal takes none away
# and makes none twice.
NR == FNR && /^0x/ { begin = $1; end = $2; number = $3; next }
NR == FNR { next }
$1 == "access" && $2 == "S" && $3 == number { round_over(); accesses = ""; started = 1; next }
$1 == "block" { # of a system call: bit 63 of its code is set
	code = "0x" substr($3, 7)
	if (substr($3, 1, 6) == "0x8000" && code >= begin && code < end) {
		accesses = accesses $0 "\n"
		count++
	}
}
$1 == "access" && $4 >= begin && $4 < end { accesses = accesses $2 $3 "@" $4 "\n"; count++ }

function round_over() {
	if (!started)
		return
	if (first == "")
		first = accesses
	if (accesses == first)
		whole++
	else if (!(rounds % 3 == 1 && index(first, accesses) == 1) && !wrong++)
		printf "round %d: %d accesses instead of %d; ", rounds, split(accesses, a, "\n"),
			split(first, b, "\n")
	rounds++
}

END {
	printf "%d accesses in %d rounds, %d of them whole, %d wrong", count, rounds, whole, wrong
	exit wrong > 0 || rounds < 3
}

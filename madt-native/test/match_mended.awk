# Each access of mended.c to its pages (first file: where they and the code are, and how many
# rounds) must have been recorded once a round.
NR == FNR { pages = substr($1, 1, length($1) - 4); begin = $2; end = $3; rounds = $4; next }
$1 == "access" && $4 >= begin && $4 < end && index($3, pages) == 1 {
	made[$2 " " $3 " " $4]++
	count++
}
END {
	for (access in made) {
		kinds++
		if (made[access] != rounds && !wrong++)
			printf "%s: %d times instead of %d; ", access, made[access], rounds
	}
	printf "%d accesses, %d of each of %d, %d wrong", count, rounds, kinds, wrong
	exit wrong > 0 || kinds != 40
}

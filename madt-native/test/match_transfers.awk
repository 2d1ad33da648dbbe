# Compares what transfers.c found in its rows (first file) with the stores of the trace (second):
# each byte that was moved has an event, and exact rows have none beside.
function hex(text,   i, value) {
	for (i = 3; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}
function name_of(from,   i, text) {
	for (i = from; i <= NF; i++)
		text = text (i > from ? " " : "") $i
	return text
}
function mark(at, n,   row, i) {
	row = int((at - base) / 16384)
	if (at < base || at >= top || n > 16384)
		return
	for (i = at; i < at + n; i++)
		stored[i] = 1
}
function note(address) {
	if (!base || address < base)
		base = address - address % 16384
	if (address + 16384 > top)
		top = address + 16384
}
function wanted(address, bytes, moved, text) {
	count++
	at[count] = address
	room[count] = bytes
	size[count] = moved
	name[count] = text
	note(address)
}
$1 == "exact" { wanted(hex($2), $3, $4, name_of(5)) }
$1 == "changed" { wanted(hex($2), $3, $3, name_of(4)) }
$1 == "access" && $2 == "S" { mark(hex($3), $5) }
$1 == "block" && $2 == "W" { mark(hex($4), hex($5)) }
$1 == "block" && $2 == "Y" { mark(hex($4), hex($6)) }
END {
	for (row = 1; row <= count; row++) {
		missing = more = 0
		for (i = 0; i < room[row]; i++) {
			missing += i < size[row] && !(at[row] + i in stored)
			more += i >= size[row] && (at[row] + i in stored)
		}
		bytes += size[row]
		if (missing || more) {
			failed++
			print name[row] ": of " size[row] " bytes " missing " have no event; " more \
				" have one that were not moved"
		}
	}
	print bytes " bytes in " count " transfers, " failed + 0 " of them wrong"
	exit failed || count < 50
}

# Compares the lines "expect KIND OFFSET SIZE" of the first file with the accesses to the area in
# the second.
function hex(text,   i, value) {
	for (i = 3; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}
$1 == "area" { area = hex($2) }
$1 == "accesses" { least = $2 }
$1 == "expect" { expected[++wanted] = $2 " " $3 " " $4 }
$1 == "access" {
	offset = hex($3) - area
	if (offset >= 0 && offset < 12288) {
		seen++
		if (expected[seen] != $2 " " offset " " $5 && !failed++)
			print "access " seen ": expected " expected[seen] ", recorded " $2 " " offset " " $5
	}
}
END {
	if (seen != wanted && !failed++)
		print "expected " wanted " accesses, recorded " seen
	print wanted " accesses compared"
	exit failed || !least || wanted != least
}

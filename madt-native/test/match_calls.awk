# Compares the lines "expect G|W OFFSET LENGTH" of the first file with the block events of system
# calls in the second: those whose code address is exact (bit 63) and whose memory lies in the area,
# 65,536 bytes from `area`.
function hex(text,   i, value) {
	for (i = 3; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}
$1 == "area" { area = $2 }
$1 == "expect" { expected[++wanted] = $2 " " $3 " " $4 }
$1 == "block" && ($2 == "G" || $2 == "W") && $3 ~ /^0x8/ && length($3) == 18 {
	offset = hex($4) - hex(area)
	if (offset >= 0 && offset < 65536) {
		seen++
		got = $2 " " offset " " hex($5)
		if (expected[seen] != got && !failed++)
			print "event " seen ": expected " expected[seen] ", recorded " got
	}
}
END {
	if (seen != wanted && !failed++)
		print "expected " wanted " events, recorded " seen
	print wanted " events compared"
	exit failed || wanted < 80
}

# Compares what threads did to the area (12,288 bytes), as they say themselves, with what was
# recorded there and what is estimated to be missing.
function hex(text,   i, value) {
	for (i = 3; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}
$1 == "area" { area = hex($2) }
$1 == "made" { made = $2 }
$1 == "access" {
	offset = hex($3) - area
	recorded += offset >= 0 && offset < 12288
}
$1 == "end" { missed = $NF }
END {
	print made " accesses made, " recorded " recorded, " missed " estimated to be missing"
	exit !(made > 5000 && recorded <= made && recorded > 500 && made - recorded <= missed)
}

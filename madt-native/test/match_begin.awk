# Compares the stores that the threads of begin.c, or windows.c, made behind the marker, as they say
# themselves, with those that were recorded: each place so many `times`, or once.
function hex(text,   i, value) {
	for (i = 3; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}
$1 == "area" { area = hex($2); size = $3 }
$1 == "stores" { stores = $2 }
$1 == "times" { times = $2 }
$1 == "wrong" { wrong = $2 }
$1 == "access" && $2 == "S" {
	offset = hex($3) - area
	if (offset >= 0 && offset < size) {
		recorded++
		twice += seen[offset]++ >= (times ? times : 1)
	}
}
END {
	print stores " stores made, " recorded + 0 " recorded, " twice + 0 " of them twice, " \
		wrong " results wrong"
	exit !(stores > 0 && recorded == stores && !twice && wrong == 0)
}

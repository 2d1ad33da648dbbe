#!/bin/sh
# Checks that there is no circle of files inside a component of the shim or the analyser, or in encode/:
# no file calls another one that needs it, by whatever way. Their object files tell, by symbols.
# check_circles.sh OUT: the folder with the build. Prints circles, and a count; exit status 1 if
# there is one.
set -u
out=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/madt-circles.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Lines of OBJECT SOURCE.
for source in shim/*/*.[cS] analyser/*/*.c encode/*.c; do
	case $source in
	analyser/test/*) continue ;;
	shim/*) object=$out/$source.o ;;
	*) object=$out/${source%.c}.o ;;
	esac
	echo "$object" "$source"
done >"$work/objects"
. ./symbols.sh >"$work/symbols"

# Two files are in one circle if each leads to the other.
awk '
function component(file) { sub(/\/[^\/]*$/, "", file); return file }
NR == FNR {
	if ($1 == "defines")
		place[component($2) " " $3] = $2
	next
}
{ files[$2] }
$1 == "uses" && (component($2) " " $3) in place && place[component($2) " " $3] != $2 {
	leads[$2 " " place[component($2) " " $3]]
	component_has[component($2) " " $2]
	component_has[component($2) " " place[component($2) " " $3]]
	components[component($2)]
}
function close_room(name,    member, n, i, k, m) {
	n = 0
	for (i in files)
		if (component(i) == name)
			member[n++] = i
	for (k = 0; k < n; k++)
		for (i = 0; i < n; i++)
			if ((member[i] " " member[k]) in leads)
				for (m = 0; m < n; m++)
					if ((member[k] " " member[m]) in leads)
						leads[member[i] " " member[m]]
}
END {
	for (name in components)
		close_room(name)
	for (file in files)
		if ((file " " file) in leads) {
			least = file
			for (other in files)
				if (other < least && (file " " other) in leads && (other " " file) in leads)
					least = other
			print least, file
		}
}' "$work/symbols" "$work/symbols" | sort |
	awk '
	{
		name = $2
		sub(/.*\//, "", name)
		if ($1 != circle) {
			if (circle)
				print line
			circle = $1
			line = $1
			sub(/\/[^\/]*$/, "", line)
		}
		line = line " " name
	}
	END { if (circle) print line }' | sort >"$work/found"

sed 's/^/circle of files: /' "$work/found"
echo "circles: $(grep -c '^uses' "$work/symbols") uses of symbols," \
		"$(wc -l <"$work/found") circles, of $(awk '{n += NF - 1} END {print n + 0}' "$work/found") files"
[ ! -s "$work/found" ] && grep -q '^uses' "$work/symbols"

#!/bin/sh
# Checks the components of the C code against the tables in ARCHITECTURE.md, whose rows are `PART/ROOM/`
# | what it is for | components that it may use. check_components.sh OUT: the folder with the build. Prints
# what is wrong, and a count; exit status 1 if anything is.
#
# A file includes only headers of its own component, of the components that the table names, and of include/.
# What the objects call follows the same table, so that no prototype of a file's own goes around it.
# A row names only components that stand above it: there is no circle. A thread's state is put together
# in shim/base/state.h of a part for each component (ROOM/part.h): these hold types alone and include
# base/base.h alone. A file uses the parts of components that its own may use. The state of a module's
# text belongs to shim/text.
set -u
out=$1
table=${2:-../ARCHITECTURE.md}
work=$(mktemp -d "${TMPDIR:-/tmp}/madt-components.XXXXXX")
trap 'rm -rf "$work"' EXIT

sed -n 's/^| `\(shim\|analyser\)\/\([a-z]*\)\/` |[^|]*| *\([^|]*[^| ]\|\) *|$/\1\/\2 \3/p' \
		"$table" | tr -d ',`' >"$work/components"

# ---------------------------------------------------------------- the table and the folders

awk '{
	part = substr($1, 1, index($1, "/"))
	for (i = 2; i <= NF; i++)
		if ($i != "–" && !((part $i) in seen))
			print "ARCHITECTURE.md: " $1 " may use " $i ", which does not stand above it"
	seen[$1]
}' "$work/components" >"$work/wrong"
for component in shim/*/ analyser/*/; do
	component=${component%/}
	[ $component = analyser/test ] && continue
	grep -q "^$component\( \|$\)" "$work/components" || echo "ARCHITECTURE.md: no row for $component"
	for header in $component/*.h; do
		[ -f "$header" ] || continue
		prototypes=$(grep -c '^[a-z][^#]*(.*;' "$header")
		[ "$prototypes" -le 150 ] || echo "$header: $prototypes prototypes, at most 150"
	done
done >>"$work/wrong"

# ---------------------------------------------------------------- includes

# Lines of FILE LINE KIND HEADER; the kind is < or ".
grep -n '^[ \t]*#[ \t]*include' shim/*/*.[chS] analyser/*/*.[chS] | grep -v '^analyser/test/' |
	sed 's/^\([^:]*\):\([0-9]*\):[ \t]*#[ \t]*include[ \t]*\([<"]\)\([^">]*\).*/\1 \2 \3 \4/' \
			>"$work/includes"
awk -v components="$work/components" '
BEGIN {
	while ((getline line < components) > 0) {
		n = split(line, word, " ")
		is[word[1]]
		for (i = 2; i <= n; i++)
			may[word[1] " " word[i]]
	}
}
{
	split($1, path, "/")
	component = path[1] "/" path[2]
	slash = index($4, "/")
	target = substr($4, 1, slash - 1)
	if ($3 == "<" && !((path[1] "/" target) in is)) # a header of the system
		next
	if (!slash) # include/, or the face of the analyser
		wrong = $4 !~ /^madt_[a-z]*\.h$/ && component "/" $4 !~ /^analyser\/[a-z]*\/madtcode\.h$/
	else
		wrong = target != path[2] && !((component " " target) in may) &&
			!($1 == "shim/base/state.h" && $4 ~ /\/part\.h$/)
	if ($4 !~ /\.h$/ || ($1 ~ /\/part\.h$/ && $4 != "base/base.h"))
		wrong = 1
	if (wrong)
		print $1 ":" $2 ": " component " may not include " $4
}' "$work/includes" >>"$work/wrong"

# encode/ is a component by itself: it includes its own headers and those of include/.
for source in encode/*.[ch]; do
	sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\([^"]*\)".*/\1/p' "$source" | while read -r header; do
		case $header in
		madt_*.h) ;;
		*) [ -f "encode/$header" ] || echo "$source: encode may not include $header" ;;
		esac
	done
done >>"$work/wrong"

# ---------------------------------------------------------------- parts of a thread's state

grep -nE '(self\.|->|\bstate\.)[a-z]+\.[a-z]' shim/*/*.[ch] >"$work/parts"
awk -v components="$work/components" '
BEGIN {
	while ((getline line < components) > 0) {
		n = split(line, word, " ")
		is[word[1]]
		for (i = 2; i <= n; i++)
			may[word[1] " " word[i]]
	}
}
{
	split($0, place, ":")
	split(place[1], path, "/")
	rest = $0
	while (match(rest, /(self\.|->|state\.)[a-z]+\.[a-z]/)) {
		used = substr(rest, RSTART, RLENGTH - 2)
		rest = substr(rest, RSTART + RLENGTH - 2)
		sub(/^(self\.|->|state\.)/, "", used)
		if (("shim/" used) in is && used != path[2] && !(("shim/" path[2] " " used) in may))
			print place[1] ":" place[2] ": shim/" path[2] " may not use the part of " used
	}
}' "$work/parts" >>"$work/wrong"

# ---------------------------------------------------------------- the owner of text

# Who else set a field of struct module_text would change text, or what is known of it.
grep -nE '(->|\.)text\.[a-z_]+ *(=|\+=|-=|\+\+|--)[^=]|STORE_RELEASE\(&[a-z]+->text\.' shim/*/*.[ch] |
	grep -v '^shim/text/' |
	sed 's/^\([^:]*:[0-9]*\):.*/\1: the files of shim\/text alone change struct module_text/' \
			>>"$work/wrong"

# ---------------------------------------------------------------- locks

# A loop of a file's own that waits for a lock.
grep -n 'while (__atomic_exchange_n(' shim/*/*.[ch] | grep -v '^shim/thread/quarantine.c:' |
	sed 's/^\([^:]*:[0-9]*\):.*/\1: shim\/base\/spin.h has the lock/' >>"$work/wrong"

# ---------------------------------------------------------------- calls

# Lines of OBJECT SOURCE.
for source in shim/*/*.[cS] analyser/*/*.c; do
	case $source in
	analyser/test/*) continue ;;
	analyser/*) object=$out/${source%.c}.o ;;
	*) object=$out/$source.o ;;
	esac
	echo "$object" "$source"
done >"$work/objects"
. ./symbols.sh >"$work/symbols"
awk -v components="$work/components" '
BEGIN {
	while ((getline line < components) > 0) {
		n = split(line, word, " ")
		for (i = 2; i <= n; i++)
			may[word[1] " " word[i]]
	}
}
function part(file, path) { split(file, path, "/"); return path[1] }
function component(file, path) { split(file, path, "/"); return path[2] }
NR == FNR {
	if ($1 == "defines")
		place[part($2) " " $3] = $2
	next
}
$1 == "uses" && (part($2) " " $3) in place {
	used = place[part($2) " " $3]
	if (component(used) != component($2) && !((part($2) "/" component($2) " " component(used)) in may))
		print $2 ": " $3 " is in " used ", which " part($2) "/" component($2) " may not use"
}' "$work/symbols" "$work/symbols" >>"$work/wrong"

wrong=$(wc -l <"$work/wrong")
cat "$work/wrong"
echo "components: $(wc -l <"$work/components") components, $(wc -l <"$work/includes") includes," \
		"$(wc -l <"$work/parts") lines with parts," \
		"$(grep -c '^uses' "$work/symbols") uses of symbols, $wrong wrong"
[ "$wrong" = 0 ] && [ -s "$work/components" ] && [ -s "$work/includes" ] && [ -s "$work/parts" ] &&
		grep -q '^uses' "$work/symbols"

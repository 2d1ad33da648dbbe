# For the checks that ask object files who calls whom. Reads lines of OBJECT SOURCE in $work/objects.
# Prints a line for each symbol that is defined with external linkage, or used: defines or uses,
# SOURCE, SYMBOL.
cut -d ' ' -f 1 "$work/objects" | xargs nm -A | awk '
NR == FNR { source[$1] = $2; next }
{ object = substr($1, 1, index($1, ":") - 1) }
NF == 3 && $2 == "U" { print "uses", source[object], $3; next }
NF == 3 && $2 ~ /[A-Z]/ { print "defines", source[object], $3 }' "$work/objects" -

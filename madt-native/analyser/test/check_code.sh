#!/bin/sh
# Runs the checks of libmadtcode: check_code.sh OUT
set -e
out=$1
libraries=/usr/lib/x86_64-linux-gnu

"$out/check_instructions" "$out/instructions.so" "$out/instructions.codemap"
"$out/check_decoder" "$out/instructions.so" "$libraries/libc.so.6" "$libraries/libm.so.6"
"$out/check_objdump" "$out/objdump.codemap" "$libraries/libc.so.6" /bin/bash \
		"$libraries/libstdc++.so.6" "$libraries/libm.so.6"
rm -rf "$out/damage"
mkdir "$out/damage"
"$out/check_damage" "$out/damage" "$out/instructions.so" \
	"$(LC_ALL=C readelf -n "$out/instructions.so" | sed -n 's/.*Build ID: //p')"
"$out/check_splice" "$out/splice_cases.so" "$out/splice_cases_low.so" "$out/splice.plan"
"$out/check_libraries" "$out/splice.plan" "$out/splice_throw.so" libz.so.1 libm.so.6 libc.so.6
"$out/check_plan" "$out/splice.plan" "$libraries/libc.so.6" /bin/bash

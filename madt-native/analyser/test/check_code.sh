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
"$out/check_splice" "$out/splice_cases.so" "$out/splice_cases_low.so" "$out/splice.plan" \
		"${MADT_ROUNDS:-1}"
"$out/check_probes" "$out/splice_cases.so" "$out/splice.plan" "${MADT_ROUNDS:-1}"
"$out/check_libraries" "$out/splice.plan" "$out/splice_throw.so" libz.so.1 libm.so.6 libc.so.6
"$out/check_plan" "$out/splice.plan" "$libraries/libc.so.6" /bin/bash "$libraries/libbz2.so.1.0"
"$out/check_blocks" "$out/splice.plan" "$libraries/libc.so.6" "$libraries/libm.so.6" \
		"$libraries/libgcc_s.so.1" "$libraries/libz.so.1" "$libraries/libstdc++.so.6" /bin/bash

names='c.so.6 m.so.6 z.so.1 lzma.so.5 gcc_s.so.1 selinux.so.1 pcre2-8.so.0 acl.so.1 attr.so.1
	tinfo.so.6 crypt.so.1 gmp.so.10 lz4.so.1 gpg-error.so.0 udev.so.1 uuid.so.1 cap.so.2 audit.so.1
	pam.so.0 resolv.so.2 dl.so.2 nsl.so.1 zstd.so.1 Zydis.so.4.0'
set --
for name in $names; do
	library=$libraries/lib$name
	[ $# -ge 20 ] || [ ! -e "$library" ] || set -- "$@" "$library"
done
"$out/check_identity" "${MADT_EDITS:-50}" "$@"

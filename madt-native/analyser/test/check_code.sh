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
more=
[ "${MADT_ROUNDS:-1}" = 1 ] || more="/bin/bash $libraries/libstdc++.so.6"
# shellcheck disable=SC2086
"$out/check_plan" "$out/splice.plan" "$libraries/libc.so.6" "$libraries/libbz2.so.1.0" $more
# shellcheck disable=SC2086
"$out/check_blocks" "$out/splice.plan" "$libraries/libc.so.6" "$libraries/libm.so.6" \
		"$libraries/libgcc_s.so.1" "$libraries/libz.so.1" $more

# How far to step through programs; more than that asks for more of everything.
steps=${MADT_STEPS:-8000}

# Graphs beside objdump and readelf, and programs that nobody wrote.
set -- "$libraries/libc.so.6" "$libraries/libstdc++.so.6" /bin/gzip /bin/bash
for program in lua5.4 bc perl; do
	found=$(command -v $program || :)
	[ -z "$found" ] || set -- "$@" "$found"
done
seeds='1 2'
[ "$steps" -le 8000 ] || seeds=$(seq 20)
for seed in $seeds; do
	command -v csmith >/dev/null || continue
	(cd "$out" && csmith -s "$seed" --max-funcs 8 -o csmith.c)
	"${CC:-gcc}" -w -O$((seed % 4)) -I/usr/include/csmith -o "$out/csmith$seed" "$out/csmith.c"
	set -- "$@" "$out/csmith$seed"
	"$out/check_graph" "$out/program.graph" "$steps" "$out/csmith$seed"
done
"$out/check_flow" "$out/flow.graph" "$@"

# Graphs beside what runs: forms of switch, as compilers make them, and programs.
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	levels='0 1 2 3'
	[ "$steps" -gt 8000 ] || levels=$([ $compiler = gcc ] && echo '0 2' || echo '1 3')
	for place in "-fPIE -pie" "-fno-pie -no-pie"; do
		for level in $levels; do
			program=$out/switches-$compiler-$level-${place%% *}
			# shellcheck disable=SC2086
			$compiler -std=gnu11 -w -O$level $place -nostdlib -nostartfiles -fno-builtin \
				-fno-stack-protector -Wl,--build-id=sha1 -o "$program" analyser/test/switches.c
			"$out/check_graph" "$out/switches.graph" 1000000 -s "$program"
		done
	done
done
"$out/check_graph" "$out/program.graph" "$steps" /bin/gzip -c analyser/test/check_code.sh
"$out/check_graph" "$out/program.graph" "$steps" /bin/bash -c 'for i in 1 2 3; do echo $((i * 7)); done'
for program in lua5.4 bc; do
	command -v $program >/dev/null || continue
	echo 'print(1 + 2)' >"$out/program.txt"
	"$out/check_graph" "$out/program.graph" "$steps" "$(command -v $program)" "$out/program.txt"
done

names='c.so.6 m.so.6 z.so.1 lzma.so.5 gcc_s.so.1 selinux.so.1 pcre2-8.so.0 acl.so.1 attr.so.1
	tinfo.so.6 crypt.so.1 gmp.so.10 lz4.so.1 gpg-error.so.0 udev.so.1 uuid.so.1 cap.so.2 audit.so.1
	pam.so.0 resolv.so.2 dl.so.2 nsl.so.1 zstd.so.1 Zydis.so.4.0'
set --
for name in $names; do
	library=$libraries/lib$name
	[ $# -ge 20 ] || [ ! -e "$library" ] || set -- "$@" "$library"
done
"$out/check_identity" "${MADT_EDITS:-50}" "$@"

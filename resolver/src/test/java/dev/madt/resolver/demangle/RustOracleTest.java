package dev.madt.resolver.demangle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.CommandOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rust names, against c++filt, which knows both ways to mangle. */
class RustOracleTest {
    private static final String SOURCE =
            """
            use std::collections::BTreeMap;
            use std::fmt::Debug;
            trait Shape { fn area(&self) -> f64; fn tag(&self) -> &'static str { "shape" } }
            struct Square<const N: usize>(f64);
            struct Pair<A, B> { a: A, b: B }
            impl<const N: usize> Shape for Square<N> { #[inline(never)] fn area(&self) -> f64 { \
            self.0 * N as f64 } }
            impl<A: Debug, B> Pair<A, B> { #[inline(never)] fn show(&self) -> String { \
            format!("{:?}", self.a) } }
            #[inline(never)] fn apply<F: Fn(i32) -> i32>(f: F) -> i32 { f(3) }
            #[inline(never)] fn sum(all: &mut [Box<dyn Shape + Send>], map: &BTreeMap<String, (u8, \
            [i16; 4])>) -> f64 {
                let extra: usize = map.values().map(|v| v.0 as usize + v.1.len()).sum();
                all.iter().map(|s| s.area()).sum::<f64>() + extra as f64
            }
            #[inline(never)] fn call(f: unsafe extern "C" fn(*const u8, &str) -> bool, o: \
            Option<fn(&i64)>) -> usize {
                f as usize + o.is_some() as usize
            }
            unsafe extern "C" fn plain(p: *const u8, s: &str) -> bool { p.is_null() || \
            s.is_empty() }
            mod größe { #[inline(never)] pub fn länge(s: &str) -> usize { s.len() } }
            fn main() {
                let mut all: Vec<Box<dyn Shape + Send>> = vec![Box::new(Square::<7>(2.0)), \
            Box::new(Square::<3>(1.5))];
                let mut map = BTreeMap::new();
                map.insert(String::from("a"), (1u8, [1i16, 2, 3, 4]));
                let n = all.len() as i32;
                let p = Pair { a: (1, "x"), b: 'c' };
                let _ = p.b;
                println!("{} {} {} {} {}", sum(&mut all, &map), apply(|x| x * n), p.show(), \
            call(plain, None), größe::länge("ab"));
                println!("{}", all[0].tag());
            }
            """;

    private static final Pattern ESCAPED = Pattern.compile("\\$u([0-9a-f]{2,6})\\$");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "v0"})
    void shouldDemangleEveryNameOfARustProgram(String way) throws Exception {
        List<String> names = names(way);
        Path input = Files.write(folder.resolve("names"), names);
        List<String> expected = CommandOutput.lines("sh", "-c", "c++filt -i < " + input);
        Demangler demangler = Demangler.withOthers(Demangler.NONE);
        int rust = 0;
        for (int i = 0; i < names.size(); i++) {
            String own = demangler.demangle(names.get(i));
            if (!own.equals(names.get(i)) || names.get(i).startsWith("_R")) {
                assertEquals(
                        letters(expected.get(i)
                                .replaceFirst("( \\(\\.llvm\\.\\d+\\)|\\.llvm\\.\\d+)$", "")),
                        own,
                        names.get(i));
                rust++;
            }
        }
        System.out.println(way + ": " + rust + " of " + names.size() + " names compared");
        assertTrue(rust > 20, rust + " names");
    }

    /**
     * c++filt leaves letters outside of ASCII as some versions of rustc write them in legacy names:
     * {@code $uf6$}.
     */
    private static String letters(String name) {
        return ESCAPED.matcher(name)
                .replaceAll(found -> Character.toString(Integer.parseInt(found.group(1), 16)));
    }

    private List<String> names(String way) throws Exception {
        Path source = Files.writeString(folder.resolve("sample.rs"), SOURCE);
        Path program = folder.resolve("sample");
        try {
            CommandOutput.lines(
                    "env",
                    "RUSTC_BOOTSTRAP=1",
                    "rustc",
                    "-Z",
                    "unstable-options",
                    "-C",
                    "symbol-mangling-version=" + way,
                    "-C",
                    "opt-level=1",
                    "-C",
                    "debuginfo=0",
                    "--edition",
                    "2021",
                    "-o",
                    program.toString(),
                    source.toString());
        } catch (IOException e) {
            Assumptions.abort("no rustc: " + e.getMessage());
        }
        return CommandOutput.lines("nm", program.toString()).stream()
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .filter(name -> name.startsWith("_R") || name.startsWith("_ZN"))
                .sorted()
                .distinct()
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "_RNvC6_123foo3bar|123foo::bar",
                "_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y|utf8_idents::"
                        + "საჭმელად_გემრიელი_სადილი",
                "_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_|cc::spawn::{closure#0}::{closure#0}",
                "_RINbNbCskIICzLVDPPb_5alloc5alloc8box_freeDINbNiB4_5boxed5FnBoxuEp6OutputuEL_EC"
                        + "s1iopQbuBiw2_3std|alloc::alloc::box_free::<dyn"
                        + " alloc::boxed::FnBox<(), Output = ()>>",
                "_RNvMC0INtC8arrayvec8ArrayVechKj7b_E3new|<arrayvec::ArrayVec<u8, 123>>::new",
                "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE|core::fmt::Write::write_fmt",
                "list.1f0-cgu.0::_RNvC6_123foo3bar|list.1f0-cgu.0::123foo::bar",
                "list.c::_ZN4core3fmt17h0123456789abcdefE|list.c::core::fmt",
                "list.c::seed|list.c::seed",
                "_ZN60_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..Drop$GT$4drop17h012345"
                        + "6789abcdefE|<alloc::vec::Vec<T>"
                        + " as core::ops::Drop>::drop",
            })
    void shouldDemangle(String mangled, String name) {
        assertEquals(name, Demangler.withOthers(Demangler.NONE).demangle(mangled));
    }

    @Test
    void shouldEndOnDamagedNames() {
        String whole =
                "_RINbNbCskIICzLVDPPb_5alloc5alloc8box_freeDINbNiB4_5boxed5FnBoxuEp6OutputuEL_EC"
                        + "s1iopQbuBiw2_3std";
        Random random = new Random(3);
        String letters = "BCDEFGIKLMNRSTXYabnpsu_0123456789";
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder name =
                    new StringBuilder(whole.substring(0, 3 + random.nextInt(whole.length() - 3)));
            for (int k = random.nextInt(6); k >= 0; k--) {
                name.setCharAt(
                        2 + random.nextInt(name.length() - 2),
                        letters.charAt(random.nextInt(letters.length())));
            }
            refused += RustNames.demangle(name.toString()) == null ? 1 : 0;
        }
        assertTrue(refused > 10_000 && refused < 20_000, refused + " refused");
        assertNull(RustNames.demangle("_R" + "TTTTTTTTTT".repeat(10_000)));
    }
}

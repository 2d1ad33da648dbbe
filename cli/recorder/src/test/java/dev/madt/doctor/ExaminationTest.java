package dev.madt.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExaminationTest {
    private static final long MIB = 1 << 20;

    private MachineFacts.Processor processor =
            new MachineFacts.Processor("x86_64", "GenuineIntel", "Some processor", true, 3632);
    private MachineFacts.Kernel kernel = new MachineFacts.Kernel("6.1.0-18-amd64", 0, 0, true, -1);
    private MachineFacts.SharedMemory shared =
            new MachineFacts.SharedMemory(Path.of("/dev/shm"), true, 4096 * MIB, 4000 * MIB, MIB);
    private MachineFacts.Java java = new MachineFacts.Java(17, "17.0.15", "/usr/lib/jvm/seventeen");
    private List<MachineFacts.Library> libraries =
            List.of(new MachineFacts.Library("libc", "glibc 2.36", null, null, true));
    private MachineFacts.Cache cache =
            new MachineFacts.Cache(Path.of("/home/me/.cache/madt"), true, 3 * MIB, 1024 * MIB);
    private List<MachineFacts.Trial> trials =
            List.of(new MachineFacts.Trial("splice", "/bin/true", 1234, null));

    private List<Finding> findings() {
        return Examination.of(
                new MachineFacts(false, processor, kernel, shared, java, libraries, cache, trials));
    }

    private Finding finding(String what) {
        return findings().stream()
                .filter(finding -> finding.what().equals(what))
                .findFirst()
                .orElseThrow();
    }

    /** All else is well: the one finding decides. */
    private void assertFound(Grade grade, String what, String found, String remedy) {
        Finding finding = finding(what);
        assertEquals(found, finding.found());
        assertEquals(grade, finding.grade());
        assertTrue(finding.remedy().contains(remedy), finding.remedy());
        assertEquals(grade != Grade.FAILED, Examination.passed(findings()));
        assertEquals(
                1,
                findings().stream().filter(other -> other.grade() != Grade.OK).count());
    }

    @Test
    void shouldFindNothingWhereAllIsWell() {
        findings().forEach(finding -> assertEquals(Grade.OK, finding.grade(), finding.toString()));
        findings().forEach(finding -> assertEquals(null, finding.remedy(), finding.toString()));
        assertEquals(
                "x86_64, GenuineIntel, Some processor, signal frames of 3,632 bytes with AVX-512",
                finding("processor").found());
        assertEquals(
                "/dev/shm, 3.9 GiB free of 4.0 GiB", finding("shared memory").found());
        assertEquals(
                "/home/me/.cache/madt, 3.0 MiB of 1.0 GiB", finding("cache").found());
        assertEquals(
                "recorded /bin/true, 1,234 accesses", finding("engine splice").found());
        assertTrue(Examination.passed(findings()));
        assertTrue(FindingsText.text(findings()).endsWith("\nThis machine can record.\n"));
    }

    @Test
    void shouldRefuseAnotherArchitecture() {
        processor =
                new MachineFacts.Processor("aarch64", "unknown vendor", "unknown model", false, 0);
        assertFound(
                Grade.FAILED, "processor", "aarch64, unknown vendor, unknown model", "x86-64 only");
    }

    @Test
    void shouldWarnOfSignalFramesThatAreLargerThanForeseen() {
        processor = new MachineFacts.Processor("x86_64", "GenuineIntel", "With AMX", true, 20000);
        assertFound(
                Grade.WARNING,
                "processor",
                "x86_64, GenuineIntel, With AMX, signal frames of 20,000 bytes with AVX-512",
                "up to 16,384 bytes");
    }

    @ParameterizedTest
    @CsvSource({
        "5.11.0, OK",
        "5.10.0-28-amd64, WARNING",
        "4.18.0-553.el8, WARNING",
        "6.18.44-fc, OK",
        "10.0, OK",
        "strange, WARNING"
    })
    void shouldWarnOfOldKernels(String release, Grade grade) {
        kernel = new MachineFacts.Kernel(release, 0, 0, true, -1);
        assertEquals(grade, finding("kernel").grade());
        assertEquals("Linux " + release, finding("kernel").found());
    }

    @Test
    void shouldRefuseAKernelWithoutDispatch() {
        kernel = new MachineFacts.Kernel("6.1.0", 22, 0, true, -1);
        assertFound(
                Grade.FAILED,
                "syscall dispatch",
                "the kernel has no Syscall User Dispatch",
                "Linux 5.11");
    }

    @Test
    void shouldNameTheSandboxThatForbidsDispatch() {
        kernel = new MachineFacts.Kernel("6.1.0", 1, 2, true, -1);
        assertFound(
                Grade.FAILED,
                "syscall dispatch",
                "prctl(PR_SET_SYSCALL_USER_DISPATCH) is forbidden (error 1)",
                "seccomp=unconfined");
    }

    @Test
    void shouldTellOfAFilter() {
        kernel = new MachineFacts.Kernel("6.1.0", 0, 2, true, -1);
        assertEquals(
                Finding.ok("seccomp", "a filter, which permits what MadT needs"),
                finding("seccomp"));
        kernel = new MachineFacts.Kernel("6.1.0", 0, 2, false, -1);
        assertFound(
                Grade.WARNING,
                "seccomp",
                "a filter, and personality(ADDR_NO_RANDOMIZE) is forbidden",
                "addresses differ from run to run");
    }

    @Test
    void shouldSpeakOfPtraceOnlyWhereItIsRestricted() {
        assertTrue(findings().stream().noneMatch(finding -> finding.what().equals("ptrace scope")));
        kernel = new MachineFacts.Kernel("6.1.0", 0, 0, true, 2);
        assertEquals(
                Finding.ok("ptrace scope", "2, which does not matter: MadT uses no ptrace(2)"),
                finding("ptrace scope"));
    }

    @Test
    void shouldWantRoomInSharedMemory() {
        shared = new MachineFacts.SharedMemory(Path.of("/dev/shm"), true, MIB, MIB / 2, MIB);
        assertFound(
                Grade.FAILED,
                "shared memory",
                "/dev/shm, 512 KiB free of 1.0 MiB",
                "A run needs 1.0 MiB. Free some space");
        shared = new MachineFacts.SharedMemory(Path.of("/dev/shm"), true, 64 * MIB, 63 * MIB, MIB);
        assertFound(
                Grade.WARNING,
                "shared memory",
                "/dev/shm, 63 MiB free of 64 MiB",
                "--shm-size=64m");
        shared = new MachineFacts.SharedMemory(Path.of("/dev/shm"), false, 0, 0, MIB);
        assertFound(Grade.FAILED, "shared memory", "/dev/shm cannot be written", "MADT_SHM");
    }

    @Test
    void shouldWantAJavaThatIsTested() {
        java = new MachineFacts.Java(11, "11.0.2", "/old");
        assertFound(Grade.FAILED, "Java", "11.0.2 in /old", "17 or newer");
        java = new MachineFacts.Java(26, "26", "/new");
        assertFound(Grade.WARNING, "Java", "26 in /new", "17 to 25");
    }

    @Test
    void shouldTellOfALibraryThatCannotBeLoaded() {
        libraries = List.of(new MachineFacts.Library(
                "libZydis",
                null,
                "libZydis.so.4.0: cannot open shared object file",
                "Install it.",
                true));
        assertFound(
                Grade.FAILED,
                "libZydis",
                "libZydis.so.4.0: cannot open shared object file",
                "Install it.");
    }

    @Test
    void shouldRecordWithoutALibraryThatOnlyTellsMore() {
        libraries = List.of(
                new MachineFacts.Library("C++ names", null, "not loaded", "Install it.", false));
        assertFound(Grade.WARNING, "C++ names", "not loaded", "Install it.");
    }

    @Test
    void shouldWarnWhereNothingIsKept() {
        cache = new MachineFacts.Cache(Path.of("/root/.cache/madt"), false, 0, 1024 * MIB);
        assertFound(
                Grade.WARNING,
                "cache",
                "/root/.cache/madt cannot be written, or belongs to somebody else",
                "XDG_CACHE_HOME");
        cache = new MachineFacts.Cache(null, false, 0, 1024 * MIB);
        assertFound(Grade.WARNING, "cache", "no folder", "Set HOME");
        cache = new MachineFacts.Cache(Path.of("/root/.cache/madt"), false, 0, 0);
        assertFound(Grade.WARNING, "cache", "switched off", "Unset MADT_CACHE_SIZE");
        cache = new MachineFacts.Cache(
                Path.of("/root/.cache/madt"), false, 0, MachineFacts.Cache.NO_LIMIT);
        assertFound(Grade.FAILED, "cache", "MADT_CACHE_SIZE is not a number of bytes", "500M");
    }

    @Test
    void shouldFailWithARecordingThatFails() {
        trials = List.of(new MachineFacts.Trial(
                "trap",
                "/bin/true",
                0,
                "recording /bin/true ended with status 139: nothing was said"));
        assertFound(
                Grade.FAILED,
                "engine trap",
                "recording /bin/true ended with status 139: nothing was said",
                "madt run -v --engine trap -- /bin/true");
        trials = List.of(new MachineFacts.Trial("trap", "/bin/true", 0, null));
        assertFound(Grade.FAILED, "engine trap", "recorded no access of /bin/true", "report");
    }

    @Test
    void shouldWriteRemediesBelowTheirFindings() {
        List<Finding> findings = List.of(
                Finding.ok("kernel", "Linux 6.1"),
                Finding.failed(
                        "shared memory",
                        "none",
                        "Mount it, and so on, with more words than fit into a line of this"
                                + " width, so that it is broken."));
        assertEquals(
                """
                ok       kernel         Linux 6.1
                failed   shared memory  none
                           Mount it, and so on, with more words than fit into a line of this
                           width, so that it is broken.
                This machine cannot record.
                """,
                FindingsText.text(findings));
        assertTrue(FindingsText.text(List.of(Finding.warning("a", "b", "c")))
                .endsWith("\nThis machine can record, with the limits above.\n"));
        assertEquals(
                """
                {
                "can_record": false,
                "findings": [
                  {"what": "kernel", "state": "ok", "found": "Linux 6.1"},
                  {"what": "shared memory", "state": "failed", "found": "\\"none\\"", "remedy": \
                "Mount it."}
                ]
                }
                """,
                FindingsText.json(List.of(
                        findings.get(0),
                        Finding.failed("shared memory", "\"none\"", "Mount it."))));
        assertFalse(Examination.passed(findings));
    }
}

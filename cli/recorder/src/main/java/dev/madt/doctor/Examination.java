package dev.madt.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Judges what was found on a machine: can programs be recorded there, and what would help if not.
 */
public final class Examination {
    private static final int INVALID = 22; // EINVAL
    private static final int OLDEST_JAVA = 17;
    private static final int NEWEST_JAVA = 25;
    /** Says what a run of a few processes may take. */
    private static final long AMPLE_SHARED = 64L << 20;
    /**
     * {@code FIRST_FRAME} of the shim: the stack that a new thread's first signal frame may take.
     */
    private static final long LARGEST_FRAME = 16384;

    private static final String UNCONFINED =
            "In a container: docker run --security-opt seccomp=unconfined.";

    private Examination() {}

    public static List<Finding> of(MachineFacts facts) {
        List<Finding> findings = new ArrayList<>();
        findings.add(processor(facts.processor()));
        findings.add(kernel(facts.kernel()));
        findings.add(dispatch(facts.kernel()));
        findings.add(seccomp(facts.kernel()));
        if (facts.kernel().ptraceScope() >= 0) {
            findings.add(Finding.ok(
                    "ptrace scope",
                    facts.kernel().ptraceScope()
                            + ", which does not matter: MadT uses no ptrace(2)"));
        }
        findings.add(shared(facts.shared()));
        findings.add(java(facts.java()));
        facts.libraries().forEach(library -> findings.add(library(library)));
        findings.add(cache(facts.cache()));
        facts.trials().forEach(trial -> findings.add(trial(trial)));
        return findings;
    }

    /** Returns whether programs can be recorded: no finding says otherwise. */
    public static boolean passed(List<Finding> findings) {
        return findings.stream().noneMatch(finding -> finding.grade() == Grade.FAILED);
    }

    private static Finding processor(MachineFacts.Processor processor) {
        String found =
                processor.architecture() + ", " + processor.vendor() + ", " + processor.model();
        if (!processor.architecture().equals("x86_64")) {
            return Finding.failed("processor", found, "MadT records programs for x86-64 only.");
        }
        if (processor.signalFrame() > 0) {
            found += String.format(
                    Locale.ROOT,
                    ", signal frames of %,d bytes%s",
                    processor.signalFrame(),
                    processor.avx512() ? " with AVX-512" : "");
        }
        return processor.signalFrame() <= LARGEST_FRAME
                ? Finding.ok("processor", found)
                : Finding.warning(
                        "processor",
                        found,
                        String.format(
                                Locale.ROOT,
                                "New threads are prepared for frames of up to %,d bytes: a program"
                                        + " that forks with clone3(2) may fail. Please report it.",
                                LARGEST_FRAME));
    }

    private static Finding kernel(MachineFacts.Kernel kernel) {
        String found = "Linux " + kernel.release();
        String[] numbers = kernel.release().split("[^0-9]+");
        boolean known = numbers.length > 1 && !numbers[0].isEmpty();
        int version =
                known ? Integer.parseInt(numbers[0]) * 1000 + Integer.parseInt(numbers[1]) : 0;
        return version >= 5011
                ? Finding.ok("kernel", found)
                : Finding.warning(
                        "kernel",
                        found,
                        "Linux 5.11 is the first that has Syscall User Dispatch, unless the"
                                + " distribution has added it.");
    }

    private static Finding dispatch(MachineFacts.Kernel kernel) {
        String what = "syscall dispatch";
        return switch (kernel.dispatchError()) {
            case 0 -> Finding.ok(what, "the kernel has Syscall User Dispatch");
            case INVALID ->
                Finding.failed(
                        what,
                        "the kernel has no Syscall User Dispatch",
                        "Use Linux 5.11 or newer for x86-64.");
            default ->
                Finding.failed(
                        what,
                        "prctl(PR_SET_SYSCALL_USER_DISPATCH) is forbidden (error "
                                + kernel.dispatchError() + ")",
                        "A sandbox or a seccomp filter forbids it. " + UNCONFINED);
        };
    }

    private static Finding seccomp(MachineFacts.Kernel kernel) {
        String filter =
                switch (kernel.seccomp()) {
                    case 0 -> "no filter";
                    case -1 -> "the kernel has no seccomp";
                    default -> "a filter";
                };
        return kernel.fixedAddresses()
                ? Finding.ok(
                        "seccomp",
                        filter + (kernel.seccomp() > 0 ? ", which permits what MadT needs" : ""))
                : Finding.warning(
                        "seccomp",
                        filter + ", and personality(ADDR_NO_RANDOMIZE) is forbidden",
                        "Recording works, but addresses differ from run to run. " + UNCONFINED);
    }

    private static Finding shared(MachineFacts.SharedMemory shared) {
        String what = "shared memory";
        if (!shared.writable()) {
            return Finding.failed(
                    what,
                    shared.place() + " cannot be written",
                    "Mount it: sudo mount -t tmpfs tmpfs " + shared.place()
                            + ", or name another folder in memory in MADT_SHM.");
        }
        String found =
                shared.place() + ", " + bytes(shared.free()) + " free of " + bytes(shared.size());
        String larger = "Free some space there, or mount it larger: sudo mount -o remount,size=64m "
                + shared.place() + " (for a container: --shm-size=64m).";
        if (shared.free() < shared.needed()) {
            return Finding.failed(
                    what, found, "A run needs " + bytes(shared.needed()) + ". " + larger);
        }
        return shared.free() < AMPLE_SHARED
                ? Finding.warning(
                        what, found, "That is enough for a few processes and threads. " + larger)
                : Finding.ok(what, found);
    }

    private static Finding java(MachineFacts.Java java) {
        String found = java.version() + " in " + java.home();
        if (java.feature() < OLDEST_JAVA) {
            return Finding.failed("Java", found, "Set JAVA_HOME to a Java of version 17 or newer.");
        }
        return java.feature() > NEWEST_JAVA
                ? Finding.warning(
                        "Java",
                        found,
                        "MadT is tested with 17 to 25. Set JAVA_HOME to one of these if it fails.")
                : Finding.ok("Java", found);
    }

    private static Finding library(MachineFacts.Library library) {
        if (library.error() == null) {
            return Finding.ok(
                    library.name(), library.version() == null ? "there" : library.version());
        }
        return library.needed()
                ? Finding.failed(library.name(), library.error(), library.remedy())
                : Finding.warning(library.name(), library.error(), library.remedy());
    }

    private static Finding cache(MachineFacts.Cache cache) {
        String slow =
                "Recording works, but each run analyses all modules anew, which takes seconds for"
                        + " large ones. ";
        if (cache.limit() == MachineFacts.Cache.NO_LIMIT) {
            return Finding.failed(
                    "cache",
                    "MADT_CACHE_SIZE is not a number of bytes",
                    "Set it as in 500M or 2G, or unset it.");
        }
        if (cache.limit() == 0) {
            return Finding.warning("cache", "switched off", slow + "Unset MADT_CACHE_SIZE.");
        }
        if (cache.place() == null) {
            return Finding.warning("cache", "no folder", slow + "Set HOME or XDG_CACHE_HOME.");
        }
        return cache.usable()
                ? Finding.ok(
                        "cache",
                        cache.place() + ", " + bytes(cache.used()) + " of " + bytes(cache.limit()))
                : Finding.warning(
                        "cache",
                        cache.place() + " cannot be written, or belongs to somebody else",
                        slow + "Make it yours, or set XDG_CACHE_HOME.");
    }

    private static Finding trial(MachineFacts.Trial trial) {
        String what = "engine " + trial.engine();
        if (trial.error() != null) {
            return Finding.failed(
                    what,
                    trial.error(),
                    "If all findings above are well, please report it with the output of: madt run"
                            + " -v --engine "
                            + trial.engine()
                            + " -- "
                            + trial.program());
        }
        return trial.accesses() > 0
                ? Finding.ok(
                        what,
                        String.format(
                                Locale.ROOT,
                                "recorded %s, %,d accesses",
                                trial.program(),
                                trial.accesses()))
                : Finding.failed(
                        what, "recorded no access of " + trial.program(), "Please report it.");
    }

    private static String bytes(long count) {
        int unit = 0;
        double value = count;
        while (value >= 1024 && unit < 3) {
            value /= 1024;
            unit++;
        }
        String number = unit == 0 || value >= 10
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.1f", value);
        return number + " " + List.of("bytes", "KiB", "MiB", "GiB").get(unit);
    }
}

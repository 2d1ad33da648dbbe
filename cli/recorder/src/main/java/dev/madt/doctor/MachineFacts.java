package dev.madt.doctor;

import java.nio.file.Path;
import java.util.List;

/**
 * Says what recording depends on, as it was asked of the machine; {@link Examination} judges it.
 *
 * @param packaged MadT was installed as a package: it cannot be built again
 */
public record MachineFacts(
        boolean packaged,
        Processor processor,
        Kernel kernel,
        SharedMemory shared,
        Java java,
        List<Library> libraries,
        Cache cache,
        List<Trial> trials) {

    /**
     * The processor.
     *
     * @param architecture as uname(2) calls it
     * @param avx512 whether its state has the registers of AVX-512
     * @param signalFrame bytes of the largest signal frame (AT_MINSIGSTKSZ); 0 if the kernel does
     *     not say
     */
    public record Processor(
            String architecture, String vendor, String model, boolean avx512, long signalFrame) {}

    /**
     * The kernel, and what it permits to this process.
     *
     * @param dispatchError errno of a call of prctl(PR_SET_SYSCALL_USER_DISPATCH) that changes
     *     nothing; 0 if it succeeded
     * @param seccomp mode of the filter that this process runs under: 0 none; -1 if the kernel does
     *     not say
     * @param fixedAddresses whether a program can be started without random addresses
     * @param ptraceScope of Yama; -1 if there is none
     */
    public record Kernel(
            String release,
            int dispatchError,
            int seccomp,
            boolean fixedAddresses,
            int ptraceScope) {}

    /**
     * Says where programs and the recorder share memory.
     *
     * @param needed bytes of the smallest session
     */
    public record SharedMemory(Path place, boolean writable, long size, long free, long needed) {}

    /** The Java that runs MadT. */
    public record Java(int feature, String version, String home) {}

    /**
     * A library that MadT loads.
     *
     * @param version null if it has none of its own
     * @param error why it cannot be used, null if it can
     * @param remedy what helps then
     * @param needed whether nothing can be recorded without it
     */
    public record Library(
            String name, String version, String error, String remedy, boolean needed) {}

    /**
     * Says where analysed code is kept between runs.
     *
     * @param place null if neither XDG_CACHE_HOME nor HOME says where
     * @param usable whether files can be made there
     * @param limit bytes; 0: nothing is to be kept; {@link #NO_LIMIT}: what MADT_CACHE_SIZE says is
     *     no size
     */
    public record Cache(Path place, boolean usable, long used, long limit) {
        public static final long NO_LIMIT = -1;
    }

    /**
     * A short program that was recorded.
     *
     * @param accesses in its trace
     * @param error what went wrong, null if nothing did
     */
    public record Trial(String engine, String program, long accesses, String error) {}
}

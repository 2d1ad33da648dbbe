package dev.madt.cli;

import jnr.ffi.LibraryLoader;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * The functions of libc that Java has no equal for. All take and return what their manual pages say; {@link #lastError()} is
 * errno after a call that failed, of the calling thread.
 */
public interface Libc {
    Libc C = LibraryLoader.create(Libc.class).load("c");
    Runtime RUNTIME = Runtime.getRuntime(C);

    int EINTR = 4;
    int ENOENT = 2;
    int EACCES = 13;
    int ENOEXEC = 8;
    int ENOSPC = 28;
    int ENOMEM = 12;

    int O_RDWR = 2;
    int O_CREAT = 0x40;
    int O_EXCL = 0x80;
    int O_CLOEXEC = 0x80000;

    long SYS_IOCTL = 16;
    long SYS_FUTEX = 202;
    long SYS_PIDFD_OPEN = 434;
    int FUTEX_WAIT = 0;
    int FUTEX_WAKE = 1;

    int open(String path, int flags, int mode);

    int close(int descriptor);

    int posix_fallocate(int descriptor, long offset, long length);

    Pointer mmap(Pointer address, long length, int protection, int flags, int descriptor, long offset);

    int munmap(Pointer address, long length);

    long syscall(long number, long first, long second, long third, Pointer fourth, long fifth, long sixth);

    int poll(Pointer descriptors, long count, int timeout);

    int fcntl(int descriptor, int command, int argument);

    int access(String path, int mode);

    int chmod(String path, int mode);

    int geteuid();

    int personality(long persona);

    int kill(int pid, int signal);

    int waitpid(int pid, Pointer status, int options);

    int sigaction(int signal, Pointer action, Pointer old);

    int posix_spawnattr_init(Pointer attributes);

    int posix_spawnattr_destroy(Pointer attributes);

    int posix_spawnattr_setflags(Pointer attributes, short flags);

    int posix_spawnattr_setsigmask(Pointer attributes, Pointer set);

    int posix_spawnattr_setsigdefault(Pointer attributes, Pointer set);

    int posix_spawn(Pointer pid, Pointer path, Pointer actions, Pointer attributes, Pointer argv, Pointer envp);

    Pointer strerror(int error);

    /** errno of the calling thread after its last call. */
    static int lastError() {
        return RUNTIME.getLastError();
    }

    /** The text for an errno value, as it is used inside a sentence: "no space left on device". */
    static String errorText(int error) {
        String text = C.strerror(error).getString(0);
        boolean word = text.length() > 1 && Character.isLowerCase(text.charAt(1));
        return word ? Character.toLowerCase(text.charAt(0)) + text.substring(1) : text;
    }
}

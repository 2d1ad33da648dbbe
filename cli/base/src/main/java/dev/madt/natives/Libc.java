package dev.madt.natives;

import com.kenai.jffi.LastError;

/**
 * The functions of libc that Java has no equal for. All take and return what their manual pages
 * say, pointers as addresses; {@link #lastError()} is errno after a call that failed, of the
 * calling thread.
 */
public final class Libc {
    public static final int EINTR = 4;
    public static final int ENOENT = 2;
    static final int EWOULDBLOCK = 11;
    public static final int ENOSPC = 28;

    static final int O_RDONLY = 0;
    static final int O_RDWR = 2;
    static final int O_CREAT = 0x40;
    static final int O_EXCL = 0x80;
    static final int O_NOFOLLOW = 0x20000;
    static final int O_CLOEXEC = 0x80000;

    public static final int LOCK_SH = 1;
    public static final int LOCK_EX = 2;
    static final int LOCK_NB = 4;

    public static final long SYS_IOCTL = 16;
    static final long SYS_FUTEX = 202;
    private static final long SYS_RT_TGSIGQUEUEINFO = 297;
    /** siginfo_t: its size, and where its fields are. */
    private static final int SIGINFO_BYTES = 128;

    private static final int SI_CODE = 8;
    private static final int SI_PID = 16;
    private static final int SI_UID = 20;
    private static final int SI_VALUE = 24;
    private static final int SI_QUEUE = -1;
    public static final long SYS_PRLIMIT64 = 302;
    public static final long SYS_PIDFD_OPEN = 434;
    static final int FUTEX_WAIT = 0;
    static final int FUTEX_WAKE = 1;

    private static final NativeLibrary LIBRARY = new NativeLibrary("libc.so.6");
    private static final NativeFunction OPEN = LIBRARY.function("open");
    private static final NativeFunction CLOSE = LIBRARY.function("close");
    private static final NativeFunction POSIX_FALLOCATE = LIBRARY.function("posix_fallocate");
    private static final NativeFunction FALLOCATE = LIBRARY.function("fallocate");
    private static final NativeFunction FTRUNCATE = LIBRARY.function("ftruncate");
    private static final NativeFunction PREAD = LIBRARY.function("pread");
    private static final NativeFunction CHMOD = LIBRARY.function("chmod");
    private static final NativeFunction MKFIFO = LIBRARY.function("mkfifo");
    private static final NativeFunction MMAP = LIBRARY.function("mmap");
    private static final NativeFunction MUNMAP = LIBRARY.function("munmap");
    private static final NativeFunction SYSCALL = LIBRARY.function("syscall");
    private static final NativeFunction POLL = LIBRARY.function("poll");
    private static final NativeFunction FLOCK = LIBRARY.function("flock");
    private static final NativeFunction FCHDIR = LIBRARY.function("fchdir");
    private static final NativeFunction ACCESS = LIBRARY.function("access");
    private static final NativeFunction GETEUID = LIBRARY.function("geteuid");
    private static final NativeFunction PERSONALITY = LIBRARY.function("personality");
    private static final NativeFunction KILL = LIBRARY.function("kill");
    private static final NativeFunction WAITPID = LIBRARY.function("waitpid");
    private static final NativeFunction SOCKET = LIBRARY.function("socket");
    private static final NativeFunction BIND = LIBRARY.function("bind");
    private static final NativeFunction LISTEN = LIBRARY.function("listen");
    private static final NativeFunction ACCEPT4 = LIBRARY.function("accept4");
    private static final NativeFunction RECV = LIBRARY.function("recv");
    private static final NativeFunction GETSOCKOPT = LIBRARY.function("getsockopt");
    private static final NativeFunction MUTEXATTR_INIT = LIBRARY.function("pthread_mutexattr_init");
    private static final NativeFunction MUTEXATTR_SETPSHARED =
            LIBRARY.function("pthread_mutexattr_setpshared");
    private static final NativeFunction MUTEXATTR_SETROBUST =
            LIBRARY.function("pthread_mutexattr_setrobust");
    private static final NativeFunction MUTEX_INIT = LIBRARY.function("pthread_mutex_init");
    private static final NativeFunction MUTEX_LOCK = LIBRARY.function("pthread_mutex_lock");
    private static final NativeFunction MUTEX_UNLOCK = LIBRARY.function("pthread_mutex_unlock");
    private static final NativeFunction SIGACTION = LIBRARY.function("sigaction");
    private static final NativeFunction SPAWNATTR_INIT = LIBRARY.function("posix_spawnattr_init");
    private static final NativeFunction SPAWNATTR_DESTROY =
            LIBRARY.function("posix_spawnattr_destroy");
    private static final NativeFunction SPAWNATTR_SETFLAGS =
            LIBRARY.function("posix_spawnattr_setflags");
    private static final NativeFunction SPAWNATTR_SETSIGMASK =
            LIBRARY.function("posix_spawnattr_setsigmask");
    private static final NativeFunction SPAWNATTR_SETSIGDEFAULT =
            LIBRARY.function("posix_spawnattr_setsigdefault");
    private static final NativeFunction SPAWN_ACTIONS_INIT =
            LIBRARY.function("posix_spawn_file_actions_init");
    private static final NativeFunction SPAWN_ACTIONS_DESTROY =
            LIBRARY.function("posix_spawn_file_actions_destroy");
    private static final NativeFunction SPAWN_ACTIONS_ADDCLOSE =
            LIBRARY.function("posix_spawn_file_actions_addclose");
    private static final NativeFunction SPAWN_ACTIONS_ADDDUP2 =
            LIBRARY.function("posix_spawn_file_actions_adddup2");
    private static final NativeFunction SPAWN_ACTIONS_ADDOPEN =
            LIBRARY.function("posix_spawn_file_actions_addopen");
    private static final NativeFunction SPAWN = LIBRARY.function("posix_spawn");
    private static final NativeFunction STRERROR = LIBRARY.function("strerror");
    private static final NativeFunction GETENTROPY = LIBRARY.function("getentropy");

    private Libc() {}

    static int open(String path, int flags, int mode) {
        try (NativeMemory name = NativeMemory.of(path)) {
            return (int) OPEN.call(name.address(), flags, mode);
        }
    }

    public static int close(int descriptor) {
        return (int) CLOSE.call(descriptor);
    }

    static int posix_fallocate(int descriptor, long offset, long length) {
        return (int) POSIX_FALLOCATE.call(descriptor, offset, length);
    }

    static int fallocate(int descriptor, int mode, long offset, long length) {
        return (int) FALLOCATE.call(descriptor, mode, offset, length);
    }

    static int ftruncate(int descriptor, long length) {
        return (int) FTRUNCATE.call(descriptor, length);
    }

    static long pread(int descriptor, long to, long length, long offset) {
        return PREAD.call(descriptor, to, length, offset);
    }

    public static int chmod(String path, int mode) {
        try (NativeMemory name = NativeMemory.of(path)) {
            return (int) CHMOD.call(name.address(), mode);
        }
    }

    public static int mkfifo(String path, int mode) {
        try (NativeMemory name = NativeMemory.of(path)) {
            return (int) MKFIFO.call(name.address(), mode);
        }
    }

    static long mmap(
            long address, long length, int protection, int flags, int descriptor, long offset) {
        return MMAP.call(address, length, protection, flags, descriptor, offset);
    }

    static int munmap(long address, long length) {
        return (int) MUNMAP.call(address, length);
    }

    public static long syscall(long number, long first, long second, long third, long fourth) {
        return SYSCALL.call(number, first, second, third, fourth);
    }

    public static int poll(long descriptors, long count, int timeout) {
        return (int) POLL.call(descriptors, count, timeout);
    }

    static int flock(int descriptor, int operation) {
        return (int) FLOCK.call(descriptor, operation);
    }

    public static int fchdir(int descriptor) {
        return (int) FCHDIR.call(descriptor);
    }

    public static int access(String path, int mode) {
        try (NativeMemory name = NativeMemory.of(path)) {
            return (int) ACCESS.call(name.address(), mode);
        }
    }

    public static int geteuid() {
        return (int) GETEUID.call();
    }

    public static int personality(long persona) {
        return (int) PERSONALITY.call(persona);
    }

    public static int kill(int pid, int signal) {
        return (int) KILL.call(pid, signal);
    }

    /** Sends a signal with a value to one thread: rt_tgsigqueueinfo(2). */
    public static int sigqueue(int pid, int thread, int signal, long value) {
        try (NativeMemory info = new NativeMemory(SIGINFO_BYTES)) {
            info.bytes().putInt(0, signal).putInt(SI_CODE, SI_QUEUE);
            info.bytes().putInt(SI_PID, (int) ProcessHandle.current().pid());
            info.bytes().putInt(SI_UID, geteuid()).putLong(SI_VALUE, value);
            return (int) syscall(SYS_RT_TGSIGQUEUEINFO, pid, thread, signal, info.address());
        }
    }

    public static int waitpid(int pid, long status, int options) {
        return (int) WAITPID.call(pid, status, options);
    }

    static int sigaction(int signal, long action, long old) {
        return (int) SIGACTION.call(signal, action, old);
    }

    public static int socket(int domain, int type, int protocol) {
        return (int) SOCKET.call(domain, type, protocol);
    }

    public static int bind(int socket, long address, int length) {
        return (int) BIND.call(socket, address, length);
    }

    public static int listen(int socket, int backlog) {
        return (int) LISTEN.call(socket, backlog);
    }

    public static int accept4(int socket, long address, long length, int flags) {
        return (int) ACCEPT4.call(socket, address, length, flags);
    }

    public static long recv(int socket, long to, long length, int flags) {
        return RECV.call(socket, to, length, flags);
    }

    public static int getsockopt(int socket, int level, int name, long value, long length) {
        return (int) GETSOCKOPT.call(socket, level, name, value, length);
    }

    public static int pthread_mutexattr_init(long attributes) {
        return (int) MUTEXATTR_INIT.call(attributes);
    }

    public static int pthread_mutexattr_setpshared(long attributes, int shared) {
        return (int) MUTEXATTR_SETPSHARED.call(attributes, shared);
    }

    public static int pthread_mutexattr_setrobust(long attributes, int robust) {
        return (int) MUTEXATTR_SETROBUST.call(attributes, robust);
    }

    public static int pthread_mutex_init(long mutex, long attributes) {
        return (int) MUTEX_INIT.call(mutex, attributes);
    }

    public static int pthread_mutex_lock(long mutex) {
        return (int) MUTEX_LOCK.call(mutex);
    }

    public static int pthread_mutex_unlock(long mutex) {
        return (int) MUTEX_UNLOCK.call(mutex);
    }

    public static int posix_spawnattr_init(long attributes) {
        return (int) SPAWNATTR_INIT.call(attributes);
    }

    public static int posix_spawnattr_destroy(long attributes) {
        return (int) SPAWNATTR_DESTROY.call(attributes);
    }

    public static int posix_spawnattr_setflags(long attributes, short flags) {
        return (int) SPAWNATTR_SETFLAGS.call(attributes, flags);
    }

    public static int posix_spawnattr_setsigmask(long attributes, long set) {
        return (int) SPAWNATTR_SETSIGMASK.call(attributes, set);
    }

    public static int posix_spawnattr_setsigdefault(long attributes, long set) {
        return (int) SPAWNATTR_SETSIGDEFAULT.call(attributes, set);
    }

    public static int posix_spawn_file_actions_init(long actions) {
        return (int) SPAWN_ACTIONS_INIT.call(actions);
    }

    public static int posix_spawn_file_actions_destroy(long actions) {
        return (int) SPAWN_ACTIONS_DESTROY.call(actions);
    }

    public static int posix_spawn_file_actions_addclose(long actions, int descriptor) {
        return (int) SPAWN_ACTIONS_ADDCLOSE.call(actions, descriptor);
    }

    public static int posix_spawn_file_actions_adddup2(long actions, int from, int to) {
        return (int) SPAWN_ACTIONS_ADDDUP2.call(actions, from, to);
    }

    public static int posix_spawn_file_actions_addopen(
            long actions, int descriptor, long path, int flags, int mode) {
        return (int) SPAWN_ACTIONS_ADDOPEN.call(actions, descriptor, path, flags, mode);
    }

    public static int posix_spawn(
            long pid, long path, long actions, long attributes, long argv, long envp) {
        return (int) SPAWN.call(pid, path, actions, attributes, argv, envp);
    }

    static int getentropy(long to, long length) {
        return (int) GETENTROPY.call(to, length);
    }

    /** errno of the calling thread after its last call. */
    public static int lastError() {
        return LastError.getInstance().get();
    }

    /** Puts back what another call has overwritten. */
    static void setLastError(int error) {
        LastError.getInstance().set(error);
    }

    /** The text for an errno value, as it is used inside a sentence: "no space left on device". */
    public static String errorText(int error) {
        String text = NativeMemory.text(STRERROR.call(error));
        boolean word = text.length() > 1 && Character.isLowerCase(text.charAt(1));
        return word ? Character.toLowerCase(text.charAt(0)) + text.substring(1) : text;
    }
}

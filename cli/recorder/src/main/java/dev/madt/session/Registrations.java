package dev.madt.session;

import dev.madt.natives.Libc;
import dev.madt.natives.NativeMemory;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The socket at which a process that takes part says its serial, once (unix(7)). The kernel says
 * who it is, as this process sees it, whatever namespaces it lives in, and gives a descriptor that
 * means this process alone.
 */
public final class Registrations implements AutoCloseable {
    /**
     * A process.
     *
     * @param pid in this process's PID namespace; 0 if it cannot be seen there
     * @param descriptor becomes readable when it ends; negative if it has, or if the kernel gives
     *     none
     */
    public record Registration(int pid, int descriptor) {}

    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SOCK_NONBLOCK = 0x800;
    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int SO_PEERPIDFD = 77;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int BACKLOG = 4096;
    private static final int ADDRESS_BYTES = 110;
    private static final int CREDENTIAL_BYTES = 12;

    private final int socket;
    private final Map<Integer, Registration> registered = new HashMap<>();

    private Registrations(int socket) {
        this.socket = socket;
    }

    /** Listens at a path; where that is not possible (it is too long), nobody will be known. */
    static Registrations at(Path path) {
        byte[] name = path.toString().getBytes(Charset.defaultCharset());
        int socket = name.length + 3 > ADDRESS_BYTES
                ? -1
                : Libc.socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        try (NativeMemory address = new NativeMemory(ADDRESS_BYTES)) {
            address.bytes()
                    .putShort(0, (short) AF_UNIX)
                    .put(2, name, 0, Math.min(name.length, ADDRESS_BYTES - 3));
            if (socket >= 0
                    && (Libc.bind(socket, address.address(), ADDRESS_BYTES) != 0
                            || Libc.listen(socket, BACKLOG) != 0)) {
                Libc.close(socket);
                socket = -1;
            }
        }
        return new Registrations(socket);
    }

    /** Returns who said this serial, or null. Whoever asks closes the descriptor. */
    public Registration of(int serial) {
        int connection = accept();
        while (connection >= 0) {
            take(connection);
            Libc.close(connection);
            connection = accept();
        }
        return registered.remove(serial);
    }

    private int accept() {
        return socket < 0 ? -1 : Libc.accept4(socket, 0, 0, SOCK_CLOEXEC);
    }

    private void take(int connection) {
        try (NativeMemory memory = new NativeMemory(32)) {
            if (Libc.recv(connection, memory.address(), Integer.BYTES, MSG_DONTWAIT)
                    != Integer.BYTES) {
                return;
            }
            int serial = memory.bytes().getInt(0);
            int pid = option(connection, SO_PEERCRED, CREDENTIAL_BYTES, memory)
                    ? memory.bytes().getInt(8)
                    : 0;
            int descriptor = option(connection, SO_PEERPIDFD, Integer.BYTES, memory)
                    ? memory.bytes().getInt(8)
                    : -1;
            registered.put(
                    serial,
                    new Registration(
                            pid,
                            descriptor >= 0 || pid == 0 ? descriptor : ProcessStatus.openPid(pid)));
        }
    }

    /** Puts the option's value at offset 8. */
    private static boolean option(int connection, int name, int length, NativeMemory memory) {
        memory.bytes().putInt(4, length);
        return Libc.getsockopt(
                        connection, SOL_SOCKET, name, memory.address() + 8, memory.address() + 4)
                == 0;
    }

    @Override
    public void close() {
        if (socket >= 0) {
            Libc.close(socket);
        }
        registered.values().stream()
                .filter(registration -> registration.descriptor() >= 0)
                .forEach(registration -> Libc.close(registration.descriptor()));
    }
}

package dev.madt.session;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import dev.madt.natives.Libc;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The program to run: found as execvp(3) finds it and looked at beforehand, so that what cannot be
 * traced is refused with its reason before anything starts.
 */
public final class ProgramFile {
    private static final int X_OK = 1;
    private static final int SCRIPT_DEPTH = 4;
    private static final int HEAD_BYTES = 4096;
    private static final int MAGIC = 0x464c457f;
    private static final int CLASS_AT = 4;
    private static final int CLASS_32 = 1;
    private static final int MACHINE_X86_64 = 62;
    private static final int TYPE_EXECUTABLE = 2;
    private static final int TYPE_SHARED = 3;
    private static final int PT_DYNAMIC = 2;
    private static final int PT_INTERP = 3;
    private static final int DT_SONAME = 14;
    /** Holds what glibc's loader defines, and no other one; it may have any path. */
    private static final String OF_GLIBC = "GLIBC_PRIVATE";

    private ProgramFile() {}

    /**
     * The file that {@code name} means: itself if it has a slash, else the first executable of that
     * name in {@code searchPath}.
     *
     * @param searchPath value of PATH, or null
     */
    public static Path find(String name, String searchPath) throws Failure {
        if (name.contains("/")) {
            return checkedExecutable(Path.of(name), name);
        }
        Failure denied = null;
        for (String directory :
                (searchPath == null ? "/bin:/usr/bin" : searchPath).split(":", -1)) {
            Path file = Path.of(directory.isEmpty() ? "." : directory).resolve(name);
            if (!name.isEmpty() && Files.isRegularFile(file)) {
                try {
                    return checkedExecutable(file, name);
                } catch (Failure e) {
                    denied = e;
                }
            }
        }
        if (denied != null) {
            throw denied;
        }
        throw new Failure(Status.NOT_FOUND, "cannot run '" + name + "': not found in PATH.");
    }

    private static Path checkedExecutable(Path file, String name) throws Failure {
        if (!Files.exists(file)) {
            boolean hidden = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
            String why = hidden ? "the link leads nowhere." : "no such file.";
            throw new Failure(Status.NOT_FOUND, "cannot run '" + name + "': " + why);
        }
        if (Files.isDirectory(file)) {
            throw new Failure(
                    Status.CANNOT_EXECUTE, "cannot run '" + name + "': it is a directory.");
        }
        if (Libc.access(file.toString(), X_OK) != 0) {
            throw new Failure(
                    Status.CANNOT_EXECUTE,
                    "cannot run '" + name + "': not executable. Try: chmod +x " + file);
        }
        return file;
    }

    /**
     * Returns the loader that a program names, or the program that its script does, if it is not
     * that of the GNU C library: it would not find in libmadt.so what it looks for, and end. Else
     * null.
     */
    public static String foreignLoader(Path file) throws Failure {
        Path current = file;
        for (int depth = 0; depth < SCRIPT_DEPTH; depth++) {
            ByteBuffer head = head(current);
            if (head == null || head.remaining() < 2) {
                return null;
            }
            if (head.get(0) != '#' || head.get(1) != '!') {
                String loader =
                        head.remaining() < 64 ? null : loader(current, segments(current, head));
                return loader == null || isOfGlibc(Path.of(loader)) ? null : loader;
            }
            current = interpreter(current, head);
        }
        return null;
    }

    /**
     * Returns whether no loader prepares the program, or the one that its script names: it is
     * linked statically.
     */
    public static boolean isStatic(Path file) throws Failure {
        Path current = file;
        for (int depth = 0; depth < SCRIPT_DEPTH; depth++) {
            ByteBuffer head = head(current);
            if (head == null || head.remaining() < 64) {
                return false;
            }
            if (head.get(0) != '#' || head.get(1) != '!') {
                List<Segment> segments = segments(current, head);
                return loader(current, segments) == null && !isLoader(current, segments);
            }
            current = interpreter(current, head);
        }
        return false;
    }

    /** The same of a program as another process named it; null as well where nothing is known. */
    public static String foreignLoaderOf(String program) {
        try {
            return foreignLoader(Path.of(program));
        } catch (Failure | IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * Returns whether a program, as another process named it, is of 32 bits; false as well where
     * nothing is known.
     */
    public static boolean isOf32Bits(String program) {
        try {
            ByteBuffer head = head(Path.of(program));
            return head != null
                    && head.remaining() > CLASS_AT
                    && head.getInt(0) == MAGIC
                    && head.get(CLASS_AT) == CLASS_32;
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static boolean isOfGlibc(Path loader) {
        try {
            return new String(Files.readAllBytes(loader), StandardCharsets.ISO_8859_1)
                    .contains(OF_GLIBC);
        } catch (IOException e) {
            return true; // the kernel looks for it, too
        }
    }

    /**
     * Returns whether it is glibc's loader itself, with the program among its arguments (ld.so(8)):
     * it has a name as libraries do, which no static program has.
     */
    private static boolean isLoader(Path file, List<Segment> segments) throws Failure {
        for (Segment segment : segments) {
            if (segment.type() == PT_DYNAMIC) {
                ByteBuffer entries = part(file, segment.offset(), segment.size());
                while (entries.remaining() >= 2 * Long.BYTES) {
                    long tag = entries.getLong();
                    entries.getLong();
                    if (tag == DT_SONAME) {
                        return isOfGlibc(file);
                    }
                }
            }
        }
        return false;
    }

    /**
     * Refuses what libmadt.so cannot be loaded into; for a script, its interpreter is what counts.
     */
    public static void checkTraceable(Path file) throws Failure {
        Path current = file;
        for (int depth = 0; depth < SCRIPT_DEPTH; depth++) {
            checkPrivileges(current);
            ByteBuffer head = head(current);
            if (head == null) {
                return; // executable but unreadable: the kernel will run it, and we cannot look
            }
            if (head.remaining() < 2 || head.get(0) != '#' || head.get(1) != '!') {
                checkElf(current, head);
                return;
            }
            current = interpreter(current, head);
        }
        throw new Failure(
                Status.CANNOT_EXECUTE,
                "cannot run " + file + ": its interpreter is a script of a script.");
    }

    private static void checkPrivileges(Path file) throws Failure {
        int mode;
        int owner;
        try {
            mode = (int) Files.getAttribute(file, "unix:mode");
            owner = (int) Files.getAttribute(file, "unix:uid");
        } catch (IOException e) {
            return;
        }
        int user = Libc.geteuid();
        boolean changesUser = (mode & 04000) != 0 && owner != user;
        boolean changesGroup = (mode & 02010) == 02010;
        if (user != 0 && (changesUser || changesGroup)) {
            throw new Failure(
                    Status.CANNOT_EXECUTE,
                    "cannot trace "
                            + file
                            + ": it is set"
                            + (changesUser ? "uid" : "gid")
                            + ", and the loader ignores preloaded libraries there. Run madt as"
                            + " root, or trace a copy: cp "
                            + file
                            + " .");
        }
    }

    private static ByteBuffer head(Path file) {
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            while (head.hasRemaining() && channel.read(head) >= 0) {}
            return head.flip();
        } catch (IOException e) {
            return null;
        }
    }

    private static Path interpreter(Path script, ByteBuffer head) throws Failure {
        String line =
                StandardCharsets.UTF_8.decode(head.duplicate().position(2)).toString();
        int end = line.indexOf('\n');
        String[] words = (end < 0 ? line : line.substring(0, end)).strip().split("[ \t]+");
        Path interpreter = Path.of(words[0]);
        if (words[0].isEmpty() || !Files.exists(interpreter)) {
            throw new Failure(
                    Status.NOT_FOUND,
                    "cannot run " + script + ": its interpreter '" + words[0] + "' is not there.");
        }
        return interpreter;
    }

    private static void checkElf(Path file, ByteBuffer head) throws Failure {
        if (head.remaining() < 64 || head.getInt(0) != MAGIC) {
            throw new Failure(
                    Status.CANNOT_EXECUTE,
                    "cannot run "
                            + file
                            + ": neither an ELF program nor a script with a '#!' line. If it is a"
                            + " shell script: madt run -- sh "
                            + file);
        }
        if (head.get(CLASS_AT) == CLASS_32) {
            throw new Failure(
                    Status.CANNOT_EXECUTE,
                    "cannot trace " + file + ": it is a 32-bit program; madt traces x86-64 only.");
        }
        if (head.getShort(18) != MACHINE_X86_64) {
            throw new Failure(
                    Status.CANNOT_EXECUTE,
                    "cannot trace " + file
                            + ": it is for another machine (ELF machine "
                            + (head.getShort(18) & 0xffff)
                            + "); madt traces x86-64 only.");
        }
        int type = head.getShort(16);
        if (type != TYPE_EXECUTABLE && type != TYPE_SHARED) {
            throw new Failure(
                    Status.CANNOT_EXECUTE,
                    "cannot run " + file + ": an ELF file, but not a program.");
        }
    }

    /** Returns what PT_INTERP names, or null. */
    private static String loader(Path file, List<Segment> segments) {
        for (Segment segment : segments) {
            if (segment.type() == PT_INTERP) {
                return text(file, segment.offset(), segment.size());
            }
        }
        return null;
    }

    /** Says what the program headers say of a part of the file. */
    private record Segment(int type, long offset, long size) {}

    private static List<Segment> segments(Path file, ByteBuffer head) throws Failure {
        long table = head.getLong(32);
        int size = head.getShort(54) & 0xffff;
        int count = head.getShort(56) & 0xffff;
        ByteBuffer entries = ByteBuffer.allocate(size * count).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel channel = FileChannel.open(file)) {
            while (entries.hasRemaining()
                    && channel.read(entries, table + entries.position()) > 0) {}
        } catch (IOException | IllegalArgumentException e) {
            throw new Failure(
                    Status.CANNOT_EXECUTE, "cannot read " + file + ": damaged program headers.", e);
        }
        List<Segment> segments = new ArrayList<>();
        for (int i = 0; i < count && (i + 1) * size <= entries.position() && size >= 40; i++) {
            segments.add(new Segment(
                    entries.getInt(i * size),
                    entries.getLong(i * size + 8),
                    entries.getLong(i * size + 32)));
        }
        return segments;
    }

    /** Without its NUL; what cannot be read is no text. */
    private static String text(Path file, long offset, long size) {
        return StandardCharsets.UTF_8.decode(part(file, offset, size - 1)).toString();
    }

    /** Bytes of a file, not many; what cannot be read is not there. */
    private static ByteBuffer part(Path file, long offset, long size) {
        ByteBuffer part = ByteBuffer.allocate((int) Math.max(0, Math.min(size, HEAD_BYTES)))
                .order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel channel = FileChannel.open(file)) {
            while (part.hasRemaining() && channel.read(part, offset + part.position()) > 0) {}
        } catch (IOException | IllegalArgumentException e) {
            part.clear();
        }
        return part.flip();
    }
}

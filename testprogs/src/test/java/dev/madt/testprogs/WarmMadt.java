package dev.madt.testprogs;

import dev.madt.cli.Main;
import dev.madt.console.Messages;
import dev.madt.session.Caller;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import jnr.ffi.LibraryLoader;

/**
 * Runs commands of madt one after another in one JVM, each in a folder of its own, with an
 * environment and with files for its standard streams, as the launcher script would start it: a JVM
 * that is warm needs a fifth of the time. Whatever a program under madt gets, it gets from the
 * process; so the process changes its folder and its descriptors for each command, and Java is told
 * of the folder.
 *
 * <p>A command comes as its folder, the file with the environment ({@code NAME=VALUE}, each with a
 * zero byte behind it), the files of both outputs, the number of words and the words, on standard
 * input; its status goes to standard output.
 */
final class WarmMadt {
    private static final int READ = 0;
    /** O_WRONLY, O_CREAT, O_TRUNC. */
    private static final int WRITE = 0x241;
    /** O_APPEND. */
    private static final int BEHIND = 0x400;

    private static final int OWNER = 0600;

    /** Calls the kernel for what Java has no words for. */
    public interface Calls {
        int open(String file, int flags, int mode);

        int dup2(int from, int to);

        int close(int descriptor);

        int chdir(String folder);
    }

    private final Calls libc = LibraryLoader.create(Calls.class).load("c");
    private final DataInputStream commands;
    private final DataOutputStream statuses;

    private WarmMadt() throws IOException {
        commands = new DataInputStream(new FileInputStream("/proc/self/fd/0"));
        statuses = new DataOutputStream(new FileOutputStream("/proc/self/fd/1"));
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("madt.open", "0,1,2");
        WarmMadt madt = new WarmMadt();
        try {
            while (true) {
                madt.command();
            }
        } catch (EOFException e) {
            System.exit(0);
        }
    }

    private void command() throws IOException, ReflectiveOperationException {
        enter(commands.readUTF());
        environment(commands.readUTF());
        redirect("/dev/null", READ, 0);
        String output = commands.readUTF();
        String said = commands.readUTF();
        int way = output.equals(said) ? WRITE | BEHIND : WRITE;
        redirect(output, way, 1);
        redirect(said, way, 2);
        String[] words = new String[commands.readInt()];
        for (int i = 0; i < words.length; i++) {
            words[i] = commands.readUTF();
        }
        PrintStream errors = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        int status = Main.run(words, new Messages(errors), errors);
        System.out.flush();
        statuses.writeInt(status);
        statuses.flush();
    }

    private void redirect(String file, int flags, int descriptor) throws IOException {
        int opened = libc.open(file, flags, OWNER);
        if (opened < 0 || libc.dup2(opened, descriptor) < 0) {
            throw new IOException("cannot open " + file);
        }
        libc.close(opened);
    }

    /** Changes the folder of the process, and what Java took for it when the JVM began. */
    private void enter(String folder) throws IOException, ReflectiveOperationException {
        if (libc.chdir(folder) != 0) {
            throw new IOException("cannot enter " + folder);
        }
        System.setProperty("user.dir", folder);
        set(FileSystems.getDefault(), "defaultDirectory", folder.getBytes(StandardCharsets.UTF_8));
        Field files = fileSystem();
        files.setAccessible(true);
        set(files.get(null), "userDir", folder);
    }

    /** Returns the file system of {@link java.io.File}: its name differs among releases. */
    private static Field fileSystem() throws NoSuchFieldException {
        for (Field field : java.io.File.class.getDeclaredFields()) {
            if (field.getType().getName().equals("java.io.FileSystem")) {
                return field;
            }
        }
        throw new NoSuchFieldException("java.io.FileSystem");
    }

    /** Has the next command read the environment, which it does once. */
    private static void environment(String file) throws ReflectiveOperationException {
        System.setProperty("madt.environment", file);
        Field known = Caller.class.getDeclaredField("environment");
        known.setAccessible(true);
        known.set(null, null);
    }

    /** Sets a field of one of Java's file systems, in its class or the one above. */
    private static void set(Object of, String name, Object value)
            throws ReflectiveOperationException {
        for (Class<?> type = of.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    field.set(of, value);
                    return;
                }
            }
        }
        throw new NoSuchFieldException(name);
    }
}

package dev.madt.testprogs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs commands without the rights of root. Where the tests run as root, the user is {@code nobody}
 * with a home of its own; elsewhere it is the user of the tests.
 *
 * <p>A checkout below a folder that others may not enter is bound to a folder of this user, in a
 * mount namespace of the command.
 */
public final class OrdinaryUser {
    private static final String ID = "65534";

    private final Path home;
    private final Path checkout;

    /**
     * Makes a home below a folder of the test.
     *
     * @param directory a folder of the test, which others may enter from now on
     */
    public OrdinaryUser(Path directory) throws IOException, InterruptedException {
        home = Files.createDirectories(directory.resolve("home"));
        if (isRoot()) {
            MadtRun.command(directory, List.of("chmod", "711", directory.toString()))
                    .expect(0);
            MadtRun.command(directory, List.of("chown", ID + ":" + ID, home.toString()))
                    .expect(0);
        }
        checkout = reaches(MadtRun.launcher())
                ? MadtRun.root()
                : Files.createDirectories(directory.resolve("checkout"));
    }

    /** Returns whether the tests run as root, so that the ordinary user is another one. */
    public static boolean isRoot() {
        return ProcessHandle.current().info().user().orElse("").equals("root");
    }

    /** Returns the folder that belongs to the user: the place for its files. */
    public Path home() {
        return home;
    }

    /** Runs {@code ./madt ARGUMENTS} in the user's home. */
    public MadtRun madt(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(MadtRun.launcher().toString()));
        command.addAll(List.of(arguments));
        return command(command);
    }

    /** Runs any command in the user's home, for two minutes at most. */
    public MadtRun command(List<String> command) throws IOException, InterruptedException {
        return MadtRun.command(home, words(command), 120);
    }

    /** Returns the words that run a command as the user; paths into the checkout are followed. */
    public List<String> words(List<String> command) {
        String root = MadtRun.root().toString();
        List<String> words = new ArrayList<>();
        if (!checkout.equals(MadtRun.root())) {
            words.addAll(List.of("unshare", "-m", "--", "sh", "-c"));
            words.addAll(List.of("mount --bind \"$0\" \"$1\" && shift && exec \"$@\"", root));
            words.add(checkout.toString());
        }
        words.addAll(identity());
        words.addAll(List.of("env", "HOME=" + home, "TMPDIR=" + home));
        for (String word : command) {
            words.add(word.startsWith(root) ? checkout + word.substring(root.length()) : word);
        }
        return words;
    }

    private static List<String> identity() {
        return isRoot()
                ? List.of("setpriv", "--reuid=" + ID, "--regid=" + ID, "--clear-groups", "--")
                : List.of();
    }

    private boolean reaches(Path file) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(identity());
        words.addAll(List.of("test", "-r", file.toString()));
        return MadtRun.command(home, words).status() == 0;
    }
}

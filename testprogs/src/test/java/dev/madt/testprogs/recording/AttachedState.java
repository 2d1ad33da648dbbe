package dev.madt.testprogs.recording;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * Holds of a process what a recording leaves as it was: the mappings of its code, what is done with
 * signals, the tracer that is none, and how many descriptors it has.
 *
 * @param descriptors 0 where the process opens and closes some itself
 */
record AttachedState(long pid, boolean keeps, String maps, String status, int descriptors) {
    /** @param keeps whether the process keeps the descriptors that it has */
    static AttachedState of(long pid, boolean keeps) throws IOException {
        StringBuilder maps = new StringBuilder();
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/maps"))) {
            String[] words = line.split(" +");
            if (words[1].contains("x")
                    && words.length > 5
                    && (keeps || !isLoadedNowAndThen(line))) {
                maps.append(words[0]).append(words[1]).append(words[5]).append('\n');
            }
        }
        StringBuilder status = new StringBuilder();
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
            if (line.matches("(SigBlk|SigIgn|SigCgt|TracerPid|Seccomp):.*")) {
                status.append(line).append('\n');
            }
        }
        int descriptors = keeps ? descriptors(pid) : 0;
        return new AttachedState(pid, keeps, maps.toString(), status.toString(), descriptors);
    }

    private static int descriptors(long pid) throws IOException {
        int descriptors = 0;
        try (Stream<Path> all = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            for (Path one : all.toList()) {
                descriptors += isOpenedNowAndThen(one) ? 0 : 1;
            }
        }
        return descriptors;
    }

    /** Of PostgreSQL's, which keeps tables open that it has come to. */
    private static boolean isOpenedNowAndThen(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("/pg/data/");
        } catch (IOException e) {
            return true; // it is closed by now
        }
    }

    /** Of attach/busy. */
    private static boolean isLoadedNowAndThen(String line) {
        return line.matches(".*(libm[.]so|libz[.]so).*");
    }

    /** Returns the state in a moment in which the first thread is not in pthread_kill. */
    static AttachedState before(long pid, boolean keeps) throws Exception {
        AttachedState state = of(pid, keeps);
        while (state.status.contains("SigBlk:\tfffffff")) {
            Thread.sleep(1);
            state = of(pid, keeps);
        }
        return state;
    }

    /**
     * Returns the state, once it is this one: while a thread is in pthread_kill, it has all signals
     * blocked, and servers open and close files.
     */
    AttachedState settled() throws Exception {
        AttachedState state = of(pid, keeps);
        for (int i = 0; i < 100 && !state.equals(this); i++) {
            Thread.sleep(10);
            state = of(pid, keeps);
        }
        return state;
    }

    /** Returns the sums of all code of files and of the vDSO, as it is in memory (SHA-256). */
    static String text(long pid) throws IOException, NoSuchAlgorithmException {
        StringBuilder sums = new StringBuilder();
        byte[] bytes = new byte[1 << 16];
        try (RandomAccessFile memory = new RandomAccessFile("/proc/" + pid + "/mem", "r")) {
            for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/maps"))) {
                String[] words = line.split(" +");
                if (words[1].contains("x")
                        && words.length > 5
                        && (words[5].startsWith("/") || words[5].equals("[vdso]"))
                        && !isLoadedNowAndThen(line)) {
                    String[] range = words[0].split("-");
                    long end = Long.parseLong(range[1], 16);
                    MessageDigest sum = MessageDigest.getInstance("SHA-256");
                    memory.seek(Long.parseLong(range[0], 16));
                    while (memory.getFilePointer() < end) {
                        int most = (int) Math.min(bytes.length, end - memory.getFilePointer());
                        sum.update(bytes, 0, memory.read(bytes, 0, most));
                    }
                    sums.append(words[5])
                            .append(' ')
                            .append(HexFormat.of().formatHex(sum.digest()))
                            .append('\n');
                }
            }
        }
        return sums.toString();
    }
}

package dev.madt.console;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Puts an exception into words: the file and the cause, without a class name. */
public final class Reason {
    private Reason() {}

    public static String of(IOException error) {
        if (error instanceof FileSystemException e) {
            return e.getFile() + ": " + cause(e);
        }
        String message = error.getMessage();
        return message == null ? "input or output failed" : limit(decapitalised(message));
    }

    /** The cause alone, for a sentence that names the file itself. */
    public static String cause(IOException error) {
        if (error instanceof NoSuchFileException) {
            return "no such file or directory";
        } else if (error instanceof AccessDeniedException) {
            return "permission denied";
        } else if (error instanceof FileAlreadyExistsException) {
            return "the file exists";
        } else if (error instanceof FileSystemException e) {
            String reason = e.getReason() == null ? "input or output failed" : e.getReason();
            return limit(decapitalised(reason));
        }
        return of(error);
    }

    /** The innermost cause alone: "no space left on device". */
    public static String root(IOException error) {
        Throwable inner = error;
        while (inner.getCause() instanceof IOException next) {
            inner = next;
        }
        return cause((IOException) inner);
    }

    /** The sentence for a file that cannot be made. */
    public static String unwritable(Path file, IOException reason) {
        if (reason instanceof FileAlreadyExistsException) {
            return file + " exists. Overwrite it with -f, or choose another name with -o FILE.";
        }
        return "cannot write " + file + ": " + root(reason) + ".";
    }

    /** Adds which limit of the caller it is that was met, if it is one. */
    private static String limit(String reason) {
        if (reason.endsWith("oo many open files")) {
            return reason + " (ulimit -n)";
        }
        return reason.endsWith("ile too large") ? reason + " (ulimit -f)" : reason;
    }

    private static String decapitalised(String text) {
        boolean word = text.length() > 1 && Character.isLowerCase(text.charAt(1));
        return word ? Character.toLowerCase(text.charAt(0)) + text.substring(1) : text;
    }
}

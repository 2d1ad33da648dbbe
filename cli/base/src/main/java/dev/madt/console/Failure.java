package dev.madt.console;

/**
 * An error whose text is all the user needs: what, where, remedy. It ends the command with its
 * status.
 */
public final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    public Failure(int status, String message) {
        super(message);
        this.status = status;
    }

    public Failure(int status, String message, Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    public int status() {
        return status;
    }
}

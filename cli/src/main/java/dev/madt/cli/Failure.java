package dev.madt.cli;

/** An error whose text is all the user needs: what, where, remedy. It ends the command with its status. */
final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    Failure(int status, String message) {
        super(message);
        this.status = status;
    }

    Failure(int status, String message, Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    int status() {
        return status;
    }
}

package dev.madt.console;

/** The version of MadT. */
public final class Version {
    /** As in pom.xml. It stands here because to read it from the archive of classes takes long. */
    public static final String TEXT = "0.1.0";

    private Version() {}
}

package dev.madt.doctor;

import java.util.Locale;

/** Says what a finding means for recording on this machine. */
public enum Grade {
    OK,
    /** Recording works, but something costs time or is different. */
    WARNING,
    /** Nothing can be recorded. */
    FAILED;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

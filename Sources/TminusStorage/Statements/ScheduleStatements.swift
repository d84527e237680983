/// The statements over `schedule`.
package enum ScheduleStatements {
    /// All schedules.
    package static let all = selection(of: "NULL")

    /// The same, with one more column.
    package static func selection(of column: String) -> String {
        """
        SELECT definition, kind, fingerprint, leads, phase, "cursor", start, deadline, occurrences, removed,
            held_since, added, laps, overrides, disabled, \(column)
        FROM schedule ORDER BY definition
        """
    }

    static let write = GroupedText(Array(1...15)) { values in
        """
        INSERT INTO schedule
            (definition, kind, fingerprint, leads, phase, "cursor", start, deadline, occurrences, removed,
            held_since, added, laps, overrides, disabled)
        VALUES \(values)
        ON CONFLICT (definition) DO UPDATE SET
            kind = excluded.kind, fingerprint = excluded.fingerprint, leads = excluded.leads, phase = excluded.phase,
            "cursor" = excluded."cursor", start = excluded.start, deadline = excluded.deadline,
            occurrences = excluded.occurrences, removed = excluded.removed,
            held_since = excluded.held_since, added = excluded.added, laps = excluded.laps,
            overrides = excluded.overrides, disabled = excluded.disabled
        """
    }

    /// Whether a schedule waits for the end of an expiry; usually none does.
    static let hasActing = "SELECT 1 FROM schedule WHERE phase = 'acting' LIMIT 1"

    /// The expiries that schedules in phase `acting` wait for, with one look-up per schedule. For a join, the planner
    /// might start with the firings, that is, with the whole history.
    static let openExpiries = """
        SELECT s.definition, s.deadline
        FROM schedule s
        WHERE s.phase = 'acting'
            AND EXISTS (
                SELECT 1 FROM firing f JOIN delivery d ON d.firing = f.id
                WHERE f.definition = s.definition AND f.occurrence = s.deadline
                    AND (f.action = 'expiry' OR f.action LIKE 'snoozed:%') AND d.settled IS NULL
            )
        """

    /// The expiries that schedules wait for although none of their deliveries is open, with the overrides: a snooze is one.
    static let missedExpiries = """
        SELECT s.definition, s.deadline, s.overrides
        FROM schedule s
        WHERE s.phase = 'acting' AND s.deadline IS NOT NULL AND s.removed IS NULL
            AND NOT EXISTS (
                SELECT 1 FROM firing f JOIN delivery d ON d.firing = f.id
                WHERE f.definition = s.definition AND f.occurrence = s.deadline
                    AND (f.action = 'expiry' OR f.action LIKE 'snoozed:%') AND d.settled IS NULL
            )
        """

    static let prune = "DELETE FROM schedule WHERE removed IS NOT NULL AND removed < ?1"
}

import TminusCore
import TminusStorage

/// What this program writes into each table. Rows of `schedule` are not listed: reading them is the check.
extension DamageStatements {
    static let sink = DamageStatements(
        table: "sink", key: ["\"key\""],
        columns: [
            .text("\"key\""), .text("name").orNull, .text("kind"), .text("title"), .text("spec"),
            .instant("retired").orNull,
        ])

    static let firing = DamageStatements(
        table: "firing", key: ["id", "definition", "occurrence", "action"],
        columns: [
            .number("id"), .id("definition"), .integer("occurrence"), .text("action"), .text("kind"), .integer("due"),
            .text("payload"), .instant("created"), .text("on_failure").orNull,
        ],
        needed: """
            id IN (SELECT firing FROM delivery WHERE settled IS NULL)
                OR id < \(Counts.rowNumbers.lowerBound) OR id > \(Counts.rowNumbers.upperBound)
            """)

    static let delivery = DamageStatements(
        table: "delivery", key: ["number", "id", "definition", "sink"],
        columns: [
            .number("number"), .text("id"), .integer("firing"), .id("definition"), .integer("occurrence"),
            .text("sink"), .word("state", DeliveryState.allCases), .word("overlap", Overlap.allCases),
            .count("attempt"), .count("tries"), .count("interrupted"), .instant("since"), .integer("expires").orNull,
            .instant("next_attempt").orNull, .instant("started").orNull, .text("claim_token").orNull,
            .text("claim_owner").orNull, .integer("claim_until").orNull, .text("withdrawn").orNull,
            .text("reason").orNull, .text("report").orNull, .instant("created"), .instant("settled").orNull,
        ],
        needed: """
            number IN (SELECT number FROM delivery WHERE settled IS NULL)
                OR number < \(Counts.rowNumbers.lowerBound) OR number > \(Counts.rowNumbers.upperBound)
            """,
        contradictions: [
            ("length(id) <> 32 OR id GLOB '*[^0-9a-f]*'", "its id is not one of a delivery"),
            ("(next_attempt IS NULL) = (settled IS NULL)", "its state contradicts its instants"),
            (
                """
                (state = 'claimed') <> (claim_token IS NOT NULL) OR (state = 'claimed') <> (claim_owner IS NOT NULL)
                    OR (state = 'claimed') <> (claim_until IS NOT NULL)
                """, "its state contradicts its claim"
            ),
            ("NOT EXISTS (SELECT 1 FROM firing f WHERE f.id = delivery.firing)", "its firing is missing"),
        ])

    static let omission = DamageStatements(
        table: "omission", key: ["id", "definition", "occurrence", "action"],
        columns: [
            .number("id"), .id("definition"), .integer("occurrence"), .text("action"), .integer("due"),
            .text("reason"), .count("count"), .instant("recorded"), .text("note").orNull,
        ],
        needed: "id < \(Counts.rowNumbers.lowerBound) OR id > \(Counts.rowNumbers.upperBound)")

    static let keptFile = DamageStatements(
        table: "kept_file", key: ["id", "root", "path"],
        columns: [
            .number("id"), .text("root"), .text("path"), .bytes("content"), .text("digest"), .instant("written"),
        ])

    static let adHoc = DamageStatements(
        table: "ad_hoc", key: ["definition"],
        columns: [.id("definition"), .bytes("document"), .text("author"), .instant("created")])

    static let session = DamageStatements(
        table: "session", key: ["name"],
        columns: [
            .text("digest"), .text("name"), .text("token").orNull, .word("level", AccessLevel.granted),
            .text("address"), .instant("made"), .instant("used"),
        ])

    static let generalMute = DamageStatements(
        table: "general_mute", key: ["id"], columns: [.integer("id"), .text("mute")])

    /// Rows have no number of their own, and nothing refers to them.
    static let attempt = DamageStatements(
        table: "attempt", key: ["delivery", "number"],
        columns: [
            .integer("delivery"), .count("number"), .instant("started"), .instant("ended"), .text("outcome"),
            .text("reason").orNull, .text("report").orNull,
        ])

    static let schedule = DamageStatements(
        table: "schedule", key: ["definition"],
        columns: [
            "definition", "kind", "fingerprint", "leads", "phase", "\"cursor\"", "start", "deadline", "occurrences",
            "removed", "held_since", "added", "laps", "overrides", "disabled",
        ].map { Column(name: $0, isWrong: "FALSE", isText: false) })

    static let moveAttempts =
        attempt.copy(attempt.wrong, "?1") + " WHERE (\(attempt.wrong)) IS NOT NULL"

    static let deleteAttempts = "DELETE FROM attempt WHERE (\(attempt.wrong)) IS NOT NULL"

    static let attemptsOfDelivery = "DELETE FROM attempt WHERE delivery = ?"

    /// The deliveries of a firing that is removed.
    static let deliveriesOfFiring = "SELECT number FROM delivery WHERE firing = ?"

    static let placeOfDelivery = "SELECT firing, definition, sink FROM delivery WHERE number = ?"

    static let countOfAll = "SELECT count(*) FROM damaged"

    static let prune = "DELETE FROM damaged WHERE noticed < ?"
}

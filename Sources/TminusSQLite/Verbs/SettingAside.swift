import TminusCore
import TminusStorage

/// Moves rows that cannot be read to the table `damaged`, so that everything else goes on.
extension Transaction {
    /// Moves the rows in scope that this program cannot have written. Deliveries that go may let others follow, so their
    /// ends are added to `endings`.
    func setAsideDamaged(
        _ scope: DamageStatements.Scope, now: Timestamp, _ endings: inout Endings
    ) throws -> [DamagedRow] {
        var moved: [DamagedRow] = []
        for table in [DamageStatements.sink, .omission, .keptFile, .adHoc, .session, .generalMute] {
            for row in try damaged(table, scope) { try setAside(row.number, of: table, row.reason, now, &moved) }
        }
        if try number("SELECT 1 FROM general_mute") != nil, try generalMute() == nil {
            try setAside(1, of: .generalMute, "the column mute cannot be read", now, &moved)
        }
        // The firings come first, because a delivery cannot be read without its firing.
        for firing in try damaged(.firing, scope) {
            var deliveries: [Int64] = []
            try forEach(DamageStatements.deliveriesOfFiring, firing.number) { deliveries.append(try $0.number(0)) }
            for delivery in deliveries {
                try setAsideDelivery(delivery, "its firing cannot be read", now, &moved, &endings)
            }
            try setAside(firing.number, of: .firing, firing.reason, now, &moved)
        }
        for delivery in try damaged(.delivery, scope) {
            try setAsideDelivery(delivery.number, delivery.reason, now, &moved, &endings)
        }
        if scope == .all {
            let count = try run(DamageStatements.moveAttempts, now)
            if count > 0 {
                try post(DamageStatements.deleteAttempts)
                moved += Array(
                    repeating: DamagedRow(table: "attempt", row: "-", reason: "a column cannot be read"), count: count)
            }
        }
        return moved
    }

    /// Moves rows of `schedule` that could not be read, given by their numbers.
    func setAsideSchedules(_ numbers: [Int64], now: Timestamp) throws -> [DamagedRow] {
        var moved: [DamagedRow] = []
        for number in numbers { try setAside(number, of: .schedule, "a column cannot be read", now, &moved) }
        return moved
    }

    /// The number of rows that were moved and are kept.
    func damagedCount() throws -> Int { Int(clamping: try number(DamageStatements.countOfAll) ?? 0) }

    private func damaged(
        _ table: DamageStatements, _ scope: DamageStatements.Scope
    ) throws -> [(number: Int64, reason: String)] {
        var found: [(number: Int64, reason: String)] = []
        let texts = CInt(clamping: table.textCount)
        try forEach(table.find(scope)) { row in
            if let reason = try row.optionalText(1) {
                found.append((try row.number(0), reason))
            } else if (0..<texts).contains(where: { !row.hasReadableText(2 + $0) }) {
                // SQLite itself accepts any bytes as text.
                found.append((try row.number(0), "a text is not valid UTF-8"))
            }
        }
        return found
    }

    private func setAside(
        _ number: Int64, of table: DamageStatements, _ reason: String, _ now: Timestamp, _ moved: inout [DamagedRow]
    ) throws {
        let identity = try? text(table.identity, number)
        try post(table.move, number, reason, now)
        try post(table.delete, number)
        moved.append(DamagedRow(table: table.table, row: identity ?? "-", reason: reason))
    }

    private func setAsideDelivery(
        _ number: Int64, _ reason: String, _ now: Timestamp, _ moved: inout [DamagedRow], _ endings: inout Endings
    ) throws {
        try forEach(DamageStatements.placeOfDelivery, number) { row in
            if let firing = try? row.number(0) { endings.firings.append(firing) }
            if let definition = try? row.text(1), let sink = try? row.text(2) {
                endings.chains.insert(Chain(definition: definition, sink: sink))
            }
        }
        try post(DamageStatements.attemptsOfDelivery, number)
        try setAside(number, of: .delivery, reason, now, &moved)
    }
}

extension StoredRow {
    /// Whether a column is NULL or a text that can be read.
    fileprivate func hasReadableText(_ column: CInt) -> Bool {
        do {
            _ = try optionalText(column)
            return true
        } catch {
            return false
        }
    }
}

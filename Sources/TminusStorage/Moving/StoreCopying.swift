package import TminusCore

/// What a store has of a table.
package struct TableSum: Sendable, Hashable {
    /// The number of rows.
    package var rows = 0
    /// The SHA-256 of their values.
    package var digest = ""
}

extension SQLStore {
    /// Copies the rows of a table into an empty table of another store, and checks that they are the same there. Each page is a
    /// transaction of its own.
    ///
    /// - Returns: The number of rows.
    package func copy(_ table: StoredTable, to target: any SQLStore) async throws(StoreError) -> Int {
        let here = try await sum(of: table) { rows async throws(StoreError) in
            try await target.write(as: .ordered) { try $0.add(rows, to: table) }
        }
        let there = try await target.sum(of: table)
        guard here == there else {
            let rows = "\(there.rows) rows of \(here.rows)"
            throw StoreError(.damaged, "what was copied of the table '\(table.name)' differs: \(rows); move again")
        }
        return here.rows
    }

    /// Reads a table page by page, and passes each page to `body`.
    func sum(
        of table: StoredTable, _ body: ([[Parameter]]) async throws(StoreError) -> Void = { _ in }
    ) async throws(StoreError) -> TableSum {
        var sum = TableSum()
        var digest = ContentDigest()
        var key: [Parameter] = []
        while true {
            let after = key
            let rows = try await read { try $0.page(of: table, after: after) }
            guard let last = rows.last else { break }
            for row in rows { digest.update(row.suffix(table.copied.count).flatMap(\.form)[...]) }
            try await body(rows)
            sum.rows += rows.count
            key = Array(last.prefix(table.key.count))
            if rows.count < table.page { break }
        }
        sum.digest = digest.hexadecimal
        return sum
    }
}

extension Parameter {
    /// Bytes that only this value has.
    fileprivate var form: [UInt8] {
        switch self {
        case .number(nil), .text(nil), .bytes(nil): [0]
        case .number(let number?): [1] + Self.bytes(of: number)
        case .text(let text?): [2] + Self.bytes(of: Int64(clamping: text.utf8.count)) + text.utf8
        case .bytes(let bytes?): [3] + Self.bytes(of: Int64(clamping: bytes.count)) + bytes
        }
    }

    private static func bytes(of number: Int64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
    }
}

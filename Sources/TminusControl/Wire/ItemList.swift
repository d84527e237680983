/// The items of an answer. An item that cannot be read, for example from a daemon of another version, does not affect
/// the others.
package struct ItemList: Sendable, Hashable {
    /// An item that cannot be read.
    package struct Unreadable: Sendable, Hashable {
        /// The id, if that can be read.
        package var id: String?
        /// What was expected instead, and the byte offset in the answer.
        package var reason: String

        /// The text for display, without a line break.
        package var text: String {
            "\(id ?? "an item without an id") cannot be shown: \(reason); is the daemon of another version?"
        }
    }

    /// The readable items, in the order of the answer.
    package var items: [Item] = []
    /// The items that cannot be read.
    package var unreadable: [Unreadable] = []

    package init(items: [Item] = [], unreadable: [Unreadable] = []) {
        self.items = items
        self.unreadable = unreadable
    }

    /// Reads an array of items. Throws if the text is not an array.
    package init(json: [UInt8]) throws {
        var scanner = JSONScanner(json)
        var list = ItemList()
        // Most items are longer than this. Reserving space avoids copies while the array grows.
        list.items.reserveCapacity(json.count / 400)
        try scanner.array { scanner in
            let start = scanner
            do {
                list.items.append(try scanner.item())
            } catch let mismatch as JSONScanner.Mismatch {
                scanner = start
                list.unreadable.append(Unreadable(id: try scanner.skipItem(), mismatch))
            }
        }
        try scanner.end()
        self = list
    }
}

extension ItemList.Unreadable {
    /// Creates an entry for the item at the beginning of `json`, which could not be read.
    init(_ json: [UInt8], _ mismatch: JSONScanner.Mismatch) {
        var scanner = JSONScanner(json)
        self.init(id: try? scanner.skipItem(), mismatch)
    }

    fileprivate init(id: String?, _ mismatch: JSONScanner.Mismatch) {
        self.init(id: id, reason: "expected \(mismatch.expected) at byte \(mismatch.offset) of the answer")
    }
}

extension JSONScanner {
    /// Skips an item and returns its id, if it has one.
    fileprivate mutating func skipItem() throws -> String? {
        var id: String?
        try object { scanner, key in
            let start = scanner
            if key == "id", let text = try? scanner.string() {
                id = text
            } else {
                scanner = start
                try scanner.skip()
            }
        }
        return id
    }
}

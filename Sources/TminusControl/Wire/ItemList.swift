/// The items of an answer. One that cannot be read, as of a daemon of another version, hides no other.
package struct ItemList: Sendable, Hashable {
    /// An item that cannot be read.
    package struct Unreadable: Sendable, Hashable {
        /// The id, if that can be read.
        package var id: String?
        /// What was expected in its place, and at which byte of the answer.
        package var reason: String

        /// For people, without a line end.
        package var text: String {
            "\(id ?? "an item without an id") cannot be shown: \(reason); is the daemon of another version?"
        }
    }

    /// Those that can be read, in the order of the answer.
    package var items: [Item] = []
    /// The others.
    package var unreadable: [Unreadable] = []

    package init(items: [Item] = [], unreadable: [Unreadable] = []) {
        self.items = items
        self.unreadable = unreadable
    }

    /// An array of items. Errors: it is none.
    package init(json: [UInt8]) throws {
        var scanner = JSONScanner(json)
        var list = ItemList()
        // An item seldom takes less; an array that grows copies itself.
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
    /// The item at the beginning of `json`, which could not be read.
    init(_ json: [UInt8], _ mismatch: JSONScanner.Mismatch) {
        var scanner = JSONScanner(json)
        self.init(id: try? scanner.skipItem(), mismatch)
    }

    fileprivate init(id: String?, _ mismatch: JSONScanner.Mismatch) {
        self.init(id: id, reason: "expected \(mismatch.expected) at byte \(mismatch.offset) of the answer")
    }
}

extension JSONScanner {
    /// Passes over an item and returns its id, if it has one.
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

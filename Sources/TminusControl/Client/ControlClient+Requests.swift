internal import TminusCore

extension ControlClient {
    /// All items as JSON, one a line.
    package func itemsJSON() async throws(ControlFailure) -> [UInt8] { try await send("GET", "/items") }

    /// All items, by what comes first.
    package func items() async throws(ControlFailure) -> ItemList { try Self.items(try await itemsJSON()) }

    /// The items of an answer of ``itemsJSON()``.
    package static func items(_ json: [UInt8]) throws(ControlFailure) -> ItemList {
        try read(json, ItemList.init(json:))
    }

    /// One item.
    package func item(_ id: String) async throws(ControlFailure) -> Item {
        try Self.read(try await send("GET", try Self.path(of: id))) { try Item(json: $0) }
    }

    /// Has something done with an item, by the word for it. Returns the item as it stands then.
    package func perform(
        _ verb: String, _ id: String, _ body: ControlBody = ControlBody()
    ) async throws(ControlFailure) -> Item {
        let bytes = try await send("POST", "\(try Self.path(of: id))/\(verb)", body: try encoded(body))
        return try Self.read(bytes) { try Item(json: $0) }
    }

    /// Has everything muted, what is added later among it, or ends that. Returns the items that it concerned.
    package func performOnAll(_ verb: String, _ body: ControlBody) async throws(ControlFailure) -> ItemList {
        try Self.items(try await send("POST", "/\(verb)", body: try encoded(body), limit: .seconds(60)))
    }

    /// Makes a timer or a stopwatch without a file. Returns it as it stands.
    package func add(_ body: AdHocBody, as kind: String) async throws(ControlFailure) -> Item {
        try Self.read(try await send("POST", "/\(kind)", body: try encoded(body))) { try Item(json: $0) }
    }

    /// Removes a timer or stopwatch that was made without a file.
    package func remove(_ id: String) async throws(ControlFailure) {
        _ = try await send("DELETE", try Self.path(of: id))
    }

    /// How the daemon does.
    package func status() async throws(ControlFailure) -> StatusAnswer { try await ask("GET", "/status") }

    /// Has the directory read again, and waits until it is in force if wanted.
    package func reload(waits: Bool) async throws(ControlFailure) -> LiveAnswer {
        try await ask("POST", waits ? "/reload?wait=true" : "/reload", limit: waits ? .seconds(600) : Self.patience)
    }

    /// Waits until a generation is in force, for so many seconds at the most.
    package func wait(generation: Int, seconds: Int) async throws(ControlFailure) -> LiveAnswer {
        try await ask(
            "GET", "/wait?generation=\(generation)&timeout=\(seconds)", limit: .seconds(seconds) + .seconds(30))
    }

    /// What became of the newest occurrences of an item, newest first.
    package func history(_ id: String, limit: Int) async throws(ControlFailure) -> [HistoryAnswer] {
        try await ask("GET", "\(try Self.path(of: id))/history?limit=\(limit)")
    }

    /// Deliveries, newest first.
    package func deliveries(
        id: String? = nil, definition: String? = nil, sink: String? = nil, states: [String] = [], limit: Int
    ) async throws(ControlFailure) -> [DeliveryAnswer] {
        var query = "limit=\(limit)"
        for (name, value) in [("id", id), ("definition", definition), ("sink", sink)] {
            if let value { query += "&\(name)=\(Self.escaped(value))" }
        }
        if !states.isEmpty { query += "&state=\(Self.escaped(states.joined(separator: ",")))" }
        return try await ask("GET", "/deliveries?\(query)")
    }

    /// Has the actions of an item tried, and waits for the outcomes if wanted.
    package func fire(_ id: String, _ body: FireBody) async throws(ControlFailure) -> FireAnswer {
        try await ask(
            "POST", "/items/\(Self.escaped(id))/fire", body: try encoded(body),
            limit: body.waits ? Firing.longestWait + Self.patience : Self.patience)
    }

    /// Has a dead, expired or discarded delivery tried again.
    package func retry(delivery id: String) async throws(ControlFailure) {
        _ = try await send("POST", "\(try Self.path(ofDelivery: id))/retry")
    }

    /// Puts a dead delivery aside.
    package func discard(delivery id: String) async throws(ControlFailure) {
        _ = try await send("POST", "\(try Self.path(ofDelivery: id))/discard")
    }

    /// A value as the body of a request.
    func encoded(_ value: some Encodable) throws(ControlFailure) -> [UInt8] {
        do {
            return try ControlJSON.encode(value)
        } catch {
            throw ControlFailure(.inputOutput, "the request cannot be written: \(error)")
        }
    }

    private static func read<Value>(
        _ bytes: [UInt8], _ body: ([UInt8]) throws -> Value
    ) throws(ControlFailure) -> Value {
        do {
            return try body(bytes)
        } catch {
            let reason = (error as? JSONScanner.Mismatch).map { "expected \($0.expected) at byte \($0.offset)" }
            throw ControlFailure(
                .inputOutput,
                "the answer of the daemon is not understood: is it of another version? (\(reason ?? "\(error)"))")
        }
    }

    /// Where an item is. What is no id is refused here: an empty one would be another route.
    private static func path(of id: String) throws(ControlFailure) -> String {
        guard DefinitionID.isValid(id) else {
            throw ControlFailure(
                .refused(.notFound), "'\(shown(id))' is no id: an id has 1 to 64 of the characters A-Z a-z 0-9 . _ -")
        }
        return "/items/\(id)"
    }

    /// Where a delivery is. What can be the id of none is refused here, as it was typed.
    private static func path(ofDelivery id: String) throws(ControlFailure) -> String {
        guard !id.isEmpty, escaped(id) == id else {
            throw ControlFailure(
                .refused(.notFound), "there is no delivery '\(shown(id))'; 'tminus deliveries' lists them")
        }
        return "/deliveries/\(id)"
    }

    /// The beginning of a text that a person gave, without control characters.
    private static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.prefix(80).unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{fffd}" : $0 }))
    }

    /// A text as a part of a path or a query (RFC 3986, section 2.3): only what is unreserved stays as it is.
    static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let scalar = Unicode.Scalar(byte)
            if scalar.properties.isAlphabetic && byte < 0x80 || scalar.properties.numericType != nil && byte < 0x80
                || "-._~".unicodeScalars.contains(scalar)
            {
                result.unicodeScalars.append(scalar)
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}

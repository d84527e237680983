package import TminusCore

extension ControlClient {
    /// Fetches all items as pages of JSON, each an array with one item a line, sorted by what comes first.
    ///
    /// - Parameters:
    ///   - size: The most items of a page, at most 5,000.
    ///   - outcomes: Whether each item has its last outcome.
    ///   - body: Is passed each page; throws to end.
    package func forEachPage(
        of size: Int = 2_000, outcomes: Bool = false, _ body: ([UInt8]) async throws -> Void
    ) async throws {
        var path: String? = "/items?limit=\(size)" + (outcomes ? "&outcomes=true" : "")
        while let place = path {
            let (bytes, next) = try await reply(to: "GET", place)
            try await body(bytes)
            path = next
        }
    }

    /// Fetches all items, sorted by what comes first; with `outcomes`, each has its last outcome.
    package func items(outcomes: Bool = false) async throws -> ItemList {
        var all = ItemList()
        try await forEachPage(outcomes: outcomes) { bytes in
            let page = try Self.items(bytes)
            all.items += page.items
            all.unreadable += page.unreadable
        }
        all.items = all.items.sortedByDue()
        return all
    }

    /// Decodes an array of items.
    package static func items(_ json: [UInt8]) throws(ControlFailure) -> ItemList {
        try read(json, ItemList.init(json:))
    }

    /// Fetches one item.
    package func item(_ id: String) async throws(ControlFailure) -> Item {
        try Self.read(try await send("GET", try Self.path(of: id))) { try Item(json: $0) }
    }

    /// Fetches one item with its details as JSON.
    package func detailsJSON(_ id: String) async throws(ControlFailure) -> [UInt8] {
        try await send("GET", "\(try Self.path(of: id))?details=true")
    }

    /// Decodes an answer of ``detailsJSON(_:)``.
    package static func details(_ json: [UInt8]) throws(ControlFailure) -> (Item, ItemDetails) {
        try read(json) { (try Item(json: $0), try ItemDetails(json: $0)) }
    }

    /// Applies a control to an item and returns the item's new state.
    package func perform(
        _ verb: Control.Verb, _ id: String, _ body: ControlBody = ControlBody()
    ) async throws(ControlFailure) -> Item {
        let bytes = try await send("POST", "\(try Self.path(of: id))/\(verb.rawValue)", body: try encoded(body))
        return try Self.read(bytes) { try Item(json: $0) }
    }

    /// Mutes all definitions, including those added later, or ends that mute. Returns the affected items.
    package func performOnAll(_ verb: Control.Verb, _ body: ControlBody) async throws(ControlFailure) -> ItemList {
        try Self.items(try await send("POST", "/\(verb.rawValue)", body: try encoded(body), limit: .seconds(60)))
    }

    /// Creates an ad-hoc timer or stopwatch and returns its item.
    package func add(_ body: AdHocBody, as kind: String) async throws(ControlFailure) -> Item {
        try Self.read(try await send("POST", "/\(kind)", body: try encoded(body))) { try Item(json: $0) }
    }

    /// Removes an ad-hoc timer or stopwatch.
    package func remove(_ id: String) async throws(ControlFailure) {
        _ = try await send("DELETE", try Self.path(of: id))
    }

    /// Fetches the daemon's status; with `definitions`, the last outcome of every definition, otherwise of those with
    /// undelivered deliveries.
    package func status(definitions: Bool = false) async throws(ControlFailure) -> StatusAnswer {
        try await ask(
            "GET", definitions ? "/status?definitions=true" : "/status",
            limit: definitions ? .seconds(60) : patience)
    }

    /// Makes the daemon re-read the config directory; with `waits`, returns once the content is in force.
    package func reload(waits: Bool) async throws(ControlFailure) -> LiveAnswer {
        try await ask("POST", waits ? "/reload?wait=true" : "/reload", limit: waits ? .seconds(600) : nil)
    }

    /// Waits until a generation is in force, at most `seconds`.
    package func wait(generation: Int, seconds: Int) async throws(ControlFailure) -> LiveAnswer {
        try await ask(
            "GET", "/wait?generation=\(generation)&timeout=\(seconds)", limit: .seconds(seconds) + .seconds(30))
    }

    /// Fetches the history of all items, newest first.
    package func history(limit: Int) async throws(ControlFailure) -> [HistoryAnswer] {
        try await ask("GET", "/history?limit=\(limit)")
    }

    /// Fetches the history of an item, newest first.
    package func history(_ id: String, limit: Int) async throws(ControlFailure) -> [HistoryAnswer] {
        try await ask("GET", "\(try Self.path(of: id))/history?limit=\(limit)")
    }

    /// Fetches deliveries that match all given filters, newest first.
    package func deliveries(
        id: String? = nil, definition: String? = nil, sink: String? = nil, states: [String] = [], limit: Int
    ) async throws(ControlFailure) -> [DeliveryAnswer] {
        if let definition { try Self.check(definition) }
        var query = "limit=\(limit)"
        for (name, value) in [("id", id), ("definition", definition), ("sink", sink)] {
            if let value { query += "&\(name)=\(Self.escaped(value))" }
        }
        if !states.isEmpty { query += "&state=\(Self.escaped(states.joined(separator: ",")))" }
        return try await ask("GET", "/deliveries?\(query)")
    }

    /// Sends an action of an item as a test, and waits for the outcomes if wanted.
    package func fire(_ id: String, _ body: FireBody) async throws(ControlFailure) -> FireAnswer {
        let bytes = try await send(
            "POST", "\(try Self.path(of: id))/fire", body: try encoded(body),
            limit: body.waits ? Firing.longestWait + patience : nil)
        return try Self.read(bytes) { try FireAnswer(json: $0) }
    }

    /// Retries a dead, expired or discarded delivery.
    package func retry(delivery id: String) async throws(ControlFailure) {
        _ = try await send("POST", "\(try Self.path(ofDelivery: id))/retry")
    }

    /// Discards a delivery that is not delivered.
    package func discard(delivery id: String) async throws(ControlFailure) {
        _ = try await send("POST", "\(try Self.path(ofDelivery: id))/discard")
    }

    /// Discards all undelivered deliveries of a definition, to a sink, or both, and returns how many there were.
    package func discardAll(definition: String?, sink: String?) async throws(ControlFailure) -> Int {
        try await all("discard", definition: definition, sink: sink)
    }

    /// Retries all deliveries of a definition, to a sink, or both, that are dead, expired or wait for a retry, and returns
    /// how many there were.
    package func retryAll(definition: String?, sink: String?) async throws(ControlFailure) -> Int {
        try await all("retry", definition: definition, sink: sink)
    }

    private func all(_ verb: String, definition: String?, sink: String?) async throws(ControlFailure) -> Int {
        if let definition { try Self.check(definition) }
        var query: [String] = []
        for (name, value) in [("definition", definition), ("sink", sink)] {
            if let value { query.append("\(name)=\(Self.escaped(value))") }
        }
        let path = "/deliveries/\(verb)?\(query.joined(separator: "&"))"
        return try await ask("POST", path, limit: .seconds(120), for: CountAnswer.self).count
    }

    /// Makes a code that signs a browser in with a level.
    package func code(_ level: AccessLevel) async throws(ControlFailure) -> CodeAnswer {
        try await ask("POST", "/codes", body: try encoded(CodeBody(level: level.rawValue)))
    }

    /// Fetches the browsers that are signed in, the last used first.
    package func sessions() async throws(ControlFailure) -> [SignedIn] { try await ask("GET", "/sessions") }

    /// Signs a browser out, given by the digits that name it.
    package func endSession(_ id: String) async throws(ControlFailure) {
        guard !id.isEmpty, Self.escaped(id) == id else {
            throw ControlFailure(
                .refused(.notFound), "there is no session '\(Self.shown(id))'; 'tminus web list' shows all")
        }
        _ = try await send("DELETE", "/sessions/\(id)")
    }

    /// Encodes a value as a request body.
    func encoded(_ value: some Encodable) throws(ControlFailure) -> [UInt8] {
        do {
            return try ControlJSON.encode(value)
        } catch {
            throw ControlFailure(.inputOutput, "cannot encode the request: \(error)")
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
                "cannot read the daemon's answer; restart the daemon if its version differs (\(reason ?? "\(error)"))")
        }
    }

    /// The path of an item. Refuses invalid ids here, because an empty one would name another route.
    private static func path(of id: String) throws(ControlFailure) -> String {
        try check(id)
        return "/items/\(id)"
    }

    private static func check(_ id: String) throws(ControlFailure) {
        guard DefinitionID.isValid(id) else {
            throw ControlFailure(
                .refused(.notFound),
                "'\(shown(id))' is not an id: \(DefinitionID.rule(brokenBy: id))")
        }
    }

    /// The path of a delivery. Refuses here what cannot be a delivery id, so the message shows the text as typed.
    private static func path(ofDelivery id: String) throws(ControlFailure) -> String {
        guard !id.isEmpty, escaped(id) == id else {
            throw ControlFailure(
                .refused(.notFound), "there is no delivery '\(shown(id))'; 'tminus deliveries' lists them")
        }
        return "/deliveries/\(id)"
    }

    /// The first 80 characters of user input, with hidden characters escaped.
    private static func shown(_ text: String) -> String { VisibleText.escaped(String(text.prefix(80))) }

    /// Percent-encodes a text for a path or query. Only the unreserved characters of RFC 3986, section 2.3, stay as
    /// they are.
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

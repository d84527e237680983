package import TminusCore
import TminusStorage

/// A request is carried out at most once: a leader takes it before it begins, and the next leader leaves it alone.
///
/// These verbs take no turn with others. What they write concerns one row, and large texts must not keep anybody waiting: a server waits
/// without limit for a process that is suspended while it sends one.
extension PostgresStore {
    package func recordAnswer(_ text: String, to id: String) async throws(StoreError) {
        try await change { _ = try $0.run(ForwardingStatements.answer, text, id) }
    }

    package func forward(_ request: ForwardedRequest) async throws(StoreError) {
        try await change { _ = try $0.run(ForwardingStatements.forward, request.id, request.text) }
    }

    package func state(ofForwarded id: String) async throws(StoreError) -> ForwardedRequest.State {
        try await read { transaction in
            try transaction.first(ForwardingStatements.state, id) { row in
                if let answer = try row.optionalText(0) { return .answered(answer) }
                guard let taken = try row.optionalNumber(1) else { return .waiting }
                return try row.number(2) == taken ? .taken : .lost
            } ?? .lost
        }
    }

    @discardableResult
    package func withdraw(_ id: String) async throws(StoreError) -> Bool {
        try await change { try $0.run(ForwardingStatements.withdraw, id) > 0 }
    }

    package func deleteAnswered(_ id: String) async throws(StoreError) {
        try await change { try $0.post(ForwardingStatements.deleteAnswered, id) }
    }

    private func change<Value: Sendable>(
        _ verb: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await perform { session throws(StoreError) in
            let value = try session.run(.writing(.ordered), isFenced: false, verb)
            self.listener.tellOthers()
            return value
        }
    }
}

/// The statements over forwarded requests.
enum ForwardingStatements {
    /// Removes what nobody waits for any more.
    static let removeOld = "DELETE FROM forwarded_request WHERE forwarded < now() - interval '2 hours'"

    // A request may be forwarded twice, if the first answer of the server was lost.
    fileprivate static let forward = """
        INSERT INTO forwarded_request (id, request) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING
        """
    fileprivate static let state = """
        SELECT answer, taken, (SELECT term FROM lease WHERE role = 'schedule') FROM forwarded_request WHERE id = $1
        """
    fileprivate static let withdraw = "DELETE FROM forwarded_request WHERE id = $1 AND taken IS NULL"
    fileprivate static let deleteAnswered = "DELETE FROM forwarded_request WHERE id = $1 AND answer IS NOT NULL"
    // An older request is not taken, because its follower has given up. A larger one is not from a follower.
    fileprivate static let take = """
        UPDATE forwarded_request SET taken = (SELECT term FROM lease WHERE role = 'schedule')
        WHERE taken IS NULL AND forwarded > now() - interval '9 seconds' AND octet_length(request) < 1048576
        """
    fileprivate static let taken = """
        SELECT id FROM forwarded_request
        WHERE answer IS NULL AND taken = (SELECT term FROM lease WHERE role = 'schedule') ORDER BY forwarded, id
        """
    fileprivate static let request = "SELECT request FROM forwarded_request WHERE id = $1"
    fileprivate static let answer = """
        UPDATE forwarded_request SET answer = $1
        WHERE id = $2 AND taken = (SELECT term FROM lease WHERE role = 'schedule')
        """
}

extension Transaction {
    /// Takes all requests, and returns those that the caller does not know. They come again if the answer of the server is lost.
    func takeRequests(knowing known: Set<String>) throws -> [ForwardedRequest] {
        try post(ForwardingStatements.take)
        var ids: [String] = []
        try forEach(ForwardingStatements.taken) { ids.append(try $0.text(0)) }
        return try ids.filter { !known.contains($0) }.compactMap { id in
            try text(ForwardingStatements.request, id).map { ForwardedRequest(id: id, text: $0) }
        }
    }
}

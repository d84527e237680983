internal import CPostgres
import TminusStorage

/// One connection to a server, in pipeline mode (postgresql.org/docs/15/libpq-pipeline-mode.html).
///
/// Statements wait in the pipeline until an answer is needed, so statements without answers cost no trip of their own. It
/// blocks, and is confined to the queue of its store.
final class Connection {
    /// No connection, or it was lost.
    struct Lost: Error {
        /// What the library said.
        let text: String
        /// Whether the server has refused the connection, so that another attempt soon would be in vain.
        var isRefused = false
        /// Whether it was lost after the end of a transaction was requested, so that nobody knows whether it was written.
        var isCommitting = false
    }

    /// What the server will answer next.
    private enum Awaited {
        case preparation(of: String)
        case execution
    }

    private let connection: OpaquePointer
    private let library: tminus_libpq
    private var awaited: [Awaited] = []
    private var kept: [Answer] = []
    private var failure: ServerError?
    private var names: [String: String] = [:]
    private var prepared = 0
    private var isLost = false
    /// Whether ``notifications()`` will ask for them.
    var keepsNotifications = false
    /// About how much is in the pipeline.
    private var waitingBytes = 0

    // So few answers fit into the buffers of any socket: neither side waits for the other to read.
    private static let depth = 64
    // The library sends what is longer than 8 KiB before it is complete. Then the server waits for the rest without a limit, and so does
    // every transaction that needs the same locks.
    static let length = 8_000

    /// Connects. Throws ``Lost``.
    init(_ settings: [(key: String, value: String)], _ library: tminus_libpq) throws {
        self.library = library
        let made = withCStrings(settings.map(\.key)) { keys in
            withCStrings(settings.map(\.value)) { values in library.PQconnectdbParams(keys, values, 0) }
        }
        guard let made else { throw Lost(text: "out of memory") }
        connection = made
        guard library.PQstatus(made) == CONNECTION_OK, library.PQenterPipelineMode(made) == 1 else {
            isLost = true
            let text = errorText
            library.PQfinish(made)
            throw Lost(text: text, isRefused: true)
        }
        // A notice would go to the standard error of the daemon.
        _ = library.PQsetNoticeProcessor(made, { _, _ in }, nil)
    }

    /// Ends the connection. Nothing may be called after it.
    func finish() { library.PQfinish(connection) }

    /// The version of the server, such as 150018.
    var serverVersion: Int { Int(library.PQserverVersion(connection)) }

    /// The encoding of the database.
    var encoding: String {
        library.PQparameterStatus(connection, "server_encoding").map { String(cString: $0) } ?? ""
    }

    /// The descriptor, which is readable when the server has sent something.
    var socket: CInt { library.PQsocket(connection) }

    /// The texts of the notifications that have come since the last call. Does not wait.
    func notifications() throws -> [String] {
        guard library.PQconsumeInput(connection) == 1 else { throw lost() }
        return takeNotifications()
    }

    private func takeNotifications() -> [String] {
        var texts: [String] = []
        while let notification = library.PQnotifies(connection) {
            texts.append(String(cString: notification.pointee.extra))
            library.PQfreemem(notification)
        }
        return texts
    }

    /// Puts a statement into the pipeline.
    func send(_ sql: String, _ parameters: [Parameter]) throws {
        let (values, size) = (parameters.map(Value.init), size(of: sql, parameters))
        if awaited.count >= Self.depth || waitingBytes + size > Self.length { try receive() }
        waitingBytes += size
        let name = try names[sql] ?? prepare(sql, values)
        let sent = withBuffers(values.map(\.bytes)) { pointers, lengths, formats in
            library.PQsendQueryPrepared(connection, name, CInt(values.count), pointers, lengths, formats, 1)
        }
        guard sent == 1 else { throw lost() }
        awaited.append(.execution)
        if size > Self.length { try receive() }
    }

    /// How many bytes a statement may have in the pipeline.
    func size(of sql: String, _ parameters: [Parameter]) -> Int {
        parameters.reduce(sql.utf8.count) { size, parameter in
            switch parameter {
            case .number: size + 16 + MemoryLayout<Int64>.size
            case .text(let text): size + 16 + (text?.utf8.count ?? 0)
            case .bytes(let bytes): size + 16 + (bytes?.count ?? 0)
            }
        }
    }

    /// Waits for the answers of all statements since the last call, and returns them.
    func answers() throws -> [Answer] {
        try receive()
        defer { kept.removeAll() }
        return kept
    }

    /// Forgets everything in the pipeline.
    func drop() {
        try? receive()
        kept.removeAll()
        failure = nil
    }

    private func prepare(_ sql: String, _ values: [Value]) throws -> String {
        prepared += 1
        let name = "t\(prepared)"
        let text = PostgresText.of(sql)
        let types = values.map(\.type)
        guard library.PQsendPrepare(connection, name, text, CInt(clamping: types.count), types) == 1 else {
            throw lost()
        }
        names[sql] = name
        awaited.append(.preparation(of: sql))
        return name
    }

    private func receive() throws {
        if isLost { throw lost() }
        waitingBytes = 0
        guard !awaited.isEmpty else { return }
        guard library.PQpipelineSync(connection) == 1 else { throw lost() }
        for next in awaited {
            guard let answer = try nextAnswer() else { throw lost() }
            let isGood = answer.status == PGRES_COMMAND_OK || answer.status == PGRES_TUPLES_OK
            if failure == nil, let error = answer.error { failure = error }
            switch next {
            case .preparation(let sql): if !isGood { names[sql] = nil }
            case .execution: if isGood { kept.append(answer) }
            }
            // After each statement comes the mark of its end.
            guard try nextAnswer() == nil else { throw lost() }
        }
        awaited.removeAll()
        guard let sync = try nextAnswer(), sync.status == PGRES_PIPELINE_SYNC else { throw lost() }
        // A pooler may hand a connection on that another one listens with.
        if !keepsNotifications { _ = takeNotifications() }
        if let error = failure {
            failure = nil
            kept.removeAll()
            throw error
        }
    }

    private func nextAnswer() throws -> Answer? {
        let result = library.PQgetResult(connection)
        guard library.PQstatus(connection) == CONNECTION_OK else {
            if let result { library.PQclear(result) }
            throw lost()
        }
        return result.map { Answer($0, library) }
    }

    private func lost() -> Lost {
        isLost = true
        return Lost(text: errorText)
    }

    /// The message of the library, in one line.
    private var errorText: String {
        guard let text = library.PQerrorMessage(connection) else { return "" }
        return String(cString: text).split(whereSeparator: \.isNewline)
            .map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: "; ")
    }
}

/// Passes texts as an array of C strings that ends with NULL.
private func withCStrings<Value>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
) -> Value {
    withBuffers(texts.map { [UInt8]($0.utf8) + [0] }) { pointers, _, _ in body(pointers) }
}

/// Passes byte strings as pointers, lengths and binary formats. The pointers end with NULL.
private func withBuffers<Value>(
    _ items: [[UInt8]?],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<CInt>, UnsafePointer<CInt>) -> Value
) -> Value {
    var all: [UInt8] = []
    var places: [Int?] = []
    for item in items {
        places.append(item == nil ? nil : all.count)
        if let item { all += item }
    }
    // So that the address of an empty value is not NULL.
    all.append(0)
    return all.withUnsafeBytes { bytes in
        let start = bytes.bindMemory(to: CChar.self).baseAddress
        let pointers: [UnsafePointer<CChar>?] = places.map { place in
            place.flatMap { offset in start.map { $0 + offset } }
        }
        let lengths = items.map { CInt(clamping: $0?.count ?? 0) }
        let formats = [CInt](repeating: 1, count: items.count)
        return body(pointers + [nil], lengths, formats)
    }
}

internal import Logging
internal import TminusControl
internal import TminusCore
internal import TminusSystem
internal import TminusTooling

/// Reads and changes definition files for clients, as `tminus edit`, `add` and `remove` do.
///
/// A path is looked up in the list of files, which is read anew for each request, so that it is never older than the last change.
struct FileDesk: Sendable {
    /// The directory that the daemon watches.
    let directory: ConfigDirectory
    /// Under which root the store keeps the content of its files.
    let keptRoot: String
    /// The kinds of sink that definitions may use.
    let sinks: [any Sink.Type]
    private let logger: Logger
    private let thread = FileThread()

    /// A desk for the files of a directory.
    init(_ directory: ConfigDirectory, keptRoot: String? = nil, sinks: [any Sink.Type], logger: Logger) {
        (self.directory, self.sinks, self.logger) = (directory, sinks, logger)
        self.keptRoot = keptRoot ?? directory.path
    }

    /// Whether a file can be made in the directory.
    var isWritable: Bool { FileAccess.isWritable(directory.path) }

    /// Runs work on the files as they are now.
    ///
    /// - Parameter kept: The last good content of files, which is in force while they have errors.
    /// - Throws: ``Problem``.
    func work<Value: Sendable>(
        kept: KeptFiles = KeptFiles(), now: Timestamp, _ body: @escaping @Sendable (ConfigFiles) throws -> Value
    ) async throws -> Value {
        try await thread.run { [directory, sinks] in
            let once = { try body(ConfigFiles(watched: directory, kept: kept, now: now, sinks: sinks)) }
            do {
                // A file that is exchanged while it is read is read again.
                do { return try once() } catch let refusal as EditRefusal where refusal.isRace { return try once() }
            } catch let refusal as EditRefusal {
                throw Problem(refusal)
            }
        }
    }

    /// Runs work that needs no list of the files.
    func work<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await thread.run(body)
    }

    /// Logs that somebody changed a file here.
    func changed(_ path: String, by person: String, door: Door) {
        logger.notice(
            "definition file changed", metadata: ["file": "\(path)", "by": "\(person)", "door": "\(door.rawValue)"])
    }

    /// The entity tag of a text.
    static func tag(_ bytes: [UInt8]) -> String { "\"\(Digest128(of: bytes).hexadecimal)\"" }
}

extension Problem {
    /// The problem for a refusal.
    init(_ refusal: EditRefusal) {
        let reasons = refusal.diagnostics.map(FileProblem.init)
        let kind: Kind =
            switch refusal.error.kind {
            case .usage: .badRequest
            case .badData: reasons.isEmpty ? .unfit : .invalid
            case .permission: .forbidden
            case .inputOutput, .noState: .unavailable
            case .defect: .internal
            }
        self.init(kind, refusal.error.message)
        if !reasons.isEmpty { diagnostics = reasons }
    }

    /// The problem of a text with errors.
    static func invalid(_ problems: [Diagnostic]) -> Problem {
        let errors = problems.filter { $0.severity == .error }
        let more = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
        var problem = Problem(.invalid, "nothing was written: \(errors.first?.message ?? "it has errors")\(more)")
        problem.diagnostics = problems.map(FileProblem.init)
        return problem
    }

    /// The problem of a file whose text is not the one that the client replaces.
    static func changed(_ path: String, to bytes: [UInt8]) -> Problem {
        var problem = Problem(.changed, "'\(path)' was changed by another meanwhile, and nothing was overwritten")
        problem.text = String(decoding: bytes, as: UTF8.self)
        problem.etag = FileDesk.tag(bytes)
        return problem
    }
}

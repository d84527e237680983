/// A kind of destination for deliveries: the plug-in contract.
///
/// A sink is made by a pure initializer that decodes its options strictly and does no I/O, so that `tminus check` can
/// make one anywhere. What it needs of the outside world it opens on the first delivery and closes in ``shutdown()``.
public protocol Sink: Sendable {
    /// The name of the kind and the key that marks it in a file: `shell`, `webhook`.
    static var kind: String { get }

    /// The options, the kind's own key first. A kind whose own key is not required can be named bare, as `stdout` is.
    static var options: KeyTable { get }

    /// What becomes of a delivery while one of an earlier occurrence is not over, where no file says.
    static var overlap: Overlap { get }

    /// Decodes the options. Every problem is reported to `reader`; nil if one makes the sink useless.
    init?(from reader: inout MappingReader, context: SinkContext)

    /// How many deliveries may run at the same time.
    var maxConcurrent: Int { get }

    /// How long one delivery may take in all. The dispatcher cancels what takes longer.
    var timeLimit: Duration { get }

    /// Performs one delivery and returns when the other end has it.
    ///
    /// May be called again with the same id: delivery is at least once. Must stop soon after its task is cancelled.
    ///
    /// - Returns: What the other end said, for the history; ``DeliveryReport/empty`` if nothing. An error carries the same.
    @discardableResult
    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport

    /// Closes what deliveries opened. Called once, after the last delivery.
    func shutdown() async
}

extension Sink {
    public static var overlap: Overlap { .queue }
    public func shutdown() async {}
}

/// What a sink may know of its surroundings while it decodes.
public struct SinkContext: Sendable {
    /// The absolute directory of the file that declares the sink: relative paths start there.
    public var directory: String
    /// Where the sink writes what no delivery can say.
    public var log: SinkLog

    /// The surroundings of a sink declared in a file of that directory.
    public init(directory: String, log: SinkLog = .silent) {
        self.directory = directory
        self.log = log
    }

    /// `path` as an absolute path, taken from the directory of the file unless it is absolute itself.
    public func resolve(_ path: String) -> String {
        path.hasPrefix("/") ? path : directory.hasSuffix("/") ? directory + path : "\(directory)/\(path)"
    }
}

/// A sink as written in a file: enough to make it again after a restart, also when the file is gone.
public struct SinkSpec: Sendable, Hashable, Codable {
    /// The id under `sinks`, or the name of a built-in sink; nil for one written inside an action.
    public var name: String?
    /// Which kind.
    public var kind: String
    /// The mapping with the options, the kind's own key among them.
    public var options: Node
    /// The absolute directory of the file.
    public var directory: String
    /// What is usual for the kind; nil for ``Overlap/queue``.
    public var usualOverlap: Overlap?
    /// What people read of a sink without a name. Neither ``key`` nor ``revision`` depends on it.
    public var label: String?

    /// A sink as written.
    public init(
        name: String?, kind: String, options: Node, directory: String, usualOverlap: Overlap? = nil,
        label: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.options = options
        self.directory = directory
        self.usualOverlap = usualOverlap
        self.label = label
    }

    /// What people read: the name, or the label of a sink without a name.
    public var title: String { name ?? label ?? key.rawValue }

    /// What becomes of a delivery while an earlier one is not over, where the options say so.
    public var overlap: Overlap? {
        guard case .mapping(let entries) = options.content,
            case .scalar(let text)? = entries.first(where: { $0.key == "overlap" })?.value.content
        else { return nil }
        return Overlap(rawValue: text)
    }

    /// What deliveries are addressed to: a named sink by its name, so that a correction of it also serves what is
    /// already waiting; an inline sink by its content.
    public var key: SinkKey {
        SinkKey(name ?? "\(kind):\(digest.prefix(16))")
    }

    /// Identifies the content: another revision is another sink instance. Marks and order do not count.
    ///
    /// 15 digits tell the revisions of one sink apart, and are as much text as needs no memory of its own: every delivery carries it from
    /// thread to thread, and these would count in one place who refers to it.
    public var revision: String { String(digest.prefix(15)) }

    private var digest: String { Digest128.hexadecimal(of: [kind, directory, options.canonicalText]) }
}

/// The kinds of sink that a program knows. Adding one touches the array handed in here and the sink's own folder.
public struct SinkRegistry: Sendable {
    /// In the order in which messages list them.
    public let kinds: [any Sink.Type]

    /// A registry of these kinds.
    public init(_ kinds: [any Sink.Type]) {
        self.kinds = kinds
    }

    /// The kind of that name.
    public subscript(kind: String) -> (any Sink.Type)? {
        kinds.first { $0.kind == kind }
    }
}

extension SinkRegistry {
    /// Makes the sink that `spec` describes; nil if its kind is unknown or its options do not decode.
    public func make(_ spec: SinkSpec, reporting diagnostics: DiagnosticBag, log: SinkLog = .silent) -> ConfiguredSink?
    {
        guard let kind = self[spec.kind] else { return nil }
        var reader = MappingReader(spec.options, table: SinkPolicy.table(of: kind), diagnostics: diagnostics)
        let sink = kind.init(from: &reader, context: SinkContext(directory: spec.directory, log: log))
        let policy = SinkPolicy(from: reader)
        reader.finish()
        return sink.map { ConfiguredSink($0, policy: policy) }
    }
}

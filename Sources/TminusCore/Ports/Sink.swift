/// A kind of destination for deliveries: the plug-in contract.
///
/// A sink is created by a pure initializer, which decodes the options strictly and does no I/O, so that `tminus check`
/// can create it anywhere. It opens its resources on the first delivery and closes them in ``shutdown()``.
public protocol Sink: Sendable {
    /// The name of the kind and the key that marks it in a file: `shell`, `webhook`.
    static var kind: String { get }

    /// The options, starting with the kind's own key. If that key is not required, a file can use the bare name, as
    /// with `stdout`.
    static var options: KeyTable { get }

    /// The default for what happens to a delivery while one of an earlier occurrence is pending.
    static var overlap: Overlap { get }

    /// The default for which machines of a fleet make its deliveries.
    static var place: SinkPlace { get }

    /// Decodes the options and reports every problem to `reader`; nil if a problem makes the sink unusable.
    init?(from reader: inout MappingReader, context: SinkContext)

    /// How many deliveries may run at the same time.
    var maxConcurrent: Int { get }

    /// How long one delivery may take in all. After that the dispatcher cancels it.
    var timeLimit: Duration { get }

    /// What the receiver would get for a delivery, for `tminus simulate` and `tminus fire --dry-run`.
    ///
    /// It does no I/O and reads no secret. The default is the CloudEvent of the delivery as it is.
    func draft(of delivery: Delivery) -> DeliveryDraft

    /// Performs one delivery. Returns when the receiver has acknowledged it.
    ///
    /// It may be called again with the same id, because delivery is at least once. It must stop soon after its task is
    /// cancelled. It must not block: between its waits it runs on the engine's thread.
    ///
    /// - Returns: The receiver's response for the history, possibly ``DeliveryReport/empty``. An error carries it too.
    @discardableResult
    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport

    /// Closes the resources that deliveries opened. Called once, after the last delivery.
    func shutdown() async
}

extension Sink {
    public static var overlap: Overlap { .queue }
    public static var place: SinkPlace { .any }
    public func draft(of delivery: Delivery) -> DeliveryDraft { DeliveryDraft(delivery) }
    public func shutdown() async {}
}

/// The context in which a sink decodes its options.
public struct SinkContext: Sendable {
    /// The absolute directory of the file that declares the sink. Relative paths start there.
    public var directory: String
    /// The log for messages that do not belong to a delivery.
    public var log: SinkLog
    /// The absolute config directory while a file is read; nil for a sink that is made for a delivery.
    package var configDirectory: String?
    /// The clock by which things are due, for times that a receiver compares with its own; nil for that of the machine.
    package var clock: (any WallClock)?

    /// The context of a sink declared in a file of the given directory.
    public init(directory: String, log: SinkLog = .silent) {
        self.directory = directory
        self.log = log
    }

    /// Whether tminus reads a file at an absolute path, or the files of a directory there, as definition files. A path
    /// through a symbolic link is not recognized.
    package func isRead(_ path: String, isDirectory: Bool = false) -> Bool {
        guard let configDirectory else { return false }
        return DefinitionPath.isRead(path, in: configDirectory, isDirectory: isDirectory)
    }

    /// `path` as an absolute path; a relative path starts at the directory of the file.
    public func resolve(_ path: String) -> String {
        path.hasPrefix("/") ? path : directory.hasSuffix("/") ? directory + path : "\(directory)/\(path)"
    }
}

/// A sink as written in a file. It contains enough to recreate the sink after a restart, even if the file is gone.
public struct SinkSpec: Sendable, Hashable, Codable {
    /// The id under `sinks`, or the name of a built-in sink; nil for one written inside an action.
    public var name: String?
    /// The name of its kind.
    public var kind: String
    /// The mapping with the options, including the kind's own key.
    public var options: Node
    /// The directory of the file, relative to the config directory and empty for that itself, so that a sink has the same key
    /// wherever its files are; or an absolute path.
    public var directory: String
    /// The default overlap of the kind; nil for ``Overlap/queue``.
    public var usualOverlap: Overlap?
    /// The default place of the kind; nil for ``SinkPlace/any``.
    public var usualPlace: SinkPlace?
    /// The title of a sink without a name. Neither ``key`` nor ``revision`` depends on it.
    public var label: String?

    /// A sink as written.
    public init(
        name: String?, kind: String, options: Node, directory: String, usualOverlap: Overlap? = nil,
        usualPlace: SinkPlace? = nil, label: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.options = options
        self.directory = directory
        self.usualOverlap = usualOverlap
        self.usualPlace = usualPlace
        self.label = label
    }

    /// The text for display: the name, or the label of a sink without a name.
    public var title: String { name ?? label ?? key.rawValue }

    /// What happens to a delivery while an earlier one is pending, if the options define it.
    public var overlap: Overlap? { option("overlap").flatMap(Overlap.init) }

    /// The labels that a machine must have to make its deliveries; empty if it needs none.
    package var machineLabels: Set<MachineLabel> {
        guard case .mapping(let entries) = options.content,
            case .sequence(let items)? = entries.first(where: { $0.key == "run-on" })?.value.content
        else { return [] }
        return Set(
            items.compactMap { if case .scalar(let text) = $0.content { MachineLabel(text) } else { nil } })
    }

    /// Whether a machine of a fleet may make its deliveries. With a rate limit only the leader may: it is counted on one machine.
    ///
    /// - Parameters:
    ///   - labels: The labels of the machine.
    ///   - leads: Whether it leads.
    package func runs(on labels: Set<MachineLabel>, leads: Bool) -> Bool {
        guard leads || option("rate-limit") == nil else { return false }
        let needed = machineLabels
        guard needed.isEmpty else { return needed.isSubset(of: labels) }
        return leads || option("run-on").flatMap(SinkPlace.init) ?? usualPlace ?? .any == .any
    }

    private func option(_ key: String) -> String? {
        guard case .mapping(let entries) = options.content,
            case .scalar(let text)? = entries.first(where: { $0.key == key })?.value.content
        else { return nil }
        return text
    }

    /// The address of its deliveries. A named sink is addressed by its name, so that waiting deliveries use a corrected
    /// version; an inline sink is addressed by its content.
    public var key: SinkKey {
        SinkKey(name ?? "\(kind):\(digest.prefix(16))")
    }

    /// Identifies the content. A new revision creates a new sink instance. Source positions and the order of keys do
    /// not matter.
    ///
    /// 15 bytes fit into Swift's inline string, so copies need no reference counting. 15 digits are enough to
    /// distinguish the revisions of one sink.
    public var revision: String { String(digest.prefix(15)) }

    /// The absolute directory of the file in the config directory `root`.
    func directory(in root: String) -> String {
        directory.isEmpty ? root : SinkContext(directory: root).resolve(directory)
    }

    private var digest: String { Digest128.hexadecimal(of: [kind, directory, options.canonicalText]) }
}

/// The kinds of sink that a program knows. To add one, extend the array passed to the initializer and add a folder for
/// the sink.
public struct SinkRegistry: Sendable {
    /// The kinds, in the order in which messages list them.
    public let kinds: [any Sink.Type]

    /// A registry of these kinds.
    public init(_ kinds: [any Sink.Type]) {
        self.kinds = kinds
    }

    /// The kind with the given name.
    public subscript(kind: String) -> (any Sink.Type)? {
        kinds.first { $0.kind == kind }
    }
}

extension SinkRegistry {
    /// Creates the sink that `spec` describes; nil if its kind is unknown or its options are invalid.
    ///
    /// - Parameter root: The absolute config directory.
    public func make(
        _ spec: SinkSpec, root: String, reporting diagnostics: DiagnosticBag, log: SinkLog = .silent
    ) -> ConfiguredSink? {
        make(spec, SinkContext(directory: spec.directory(in: root), log: log), diagnostics)
    }

    /// The same for a sink that goes by `clock`.
    package func make(
        _ spec: SinkSpec, root: String, by clock: any WallClock, reporting diagnostics: DiagnosticBag, log: SinkLog
    ) -> ConfiguredSink? {
        var context = SinkContext(directory: spec.directory(in: root), log: log)
        context.clock = clock
        return make(spec, context, diagnostics)
    }

    /// The same for a sink that is read from a file of the config directory `root`: also reports a place that no sink may write.
    package func make(read spec: SinkSpec, root: String, reporting diagnostics: DiagnosticBag) -> ConfiguredSink? {
        var context = SinkContext(directory: spec.directory(in: root))
        context.configDirectory = root
        return make(spec, context, diagnostics)
    }

    private func make(_ spec: SinkSpec, _ context: SinkContext, _ diagnostics: DiagnosticBag) -> ConfiguredSink? {
        guard let kind = self[spec.kind] else { return nil }
        var reader = MappingReader(spec.options, table: SinkPolicy.table(of: kind), diagnostics: diagnostics)
        diagnostics.needLabels = spec.machineLabels
        defer { diagnostics.needLabels = [] }
        let sink = kind.init(from: &reader, context: context)
        let policy = SinkPolicy(from: reader)
        reader.finish()
        return sink.map { ConfiguredSink($0, policy: policy) }
    }
}

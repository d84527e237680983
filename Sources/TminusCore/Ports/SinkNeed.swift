/// Something outside the definition files that a sink needs for its deliveries.
///
/// A sink names its needs while it decodes its options, with ``MappingReader/needs(_:at:)``. `tminus check` and the
/// daemon then look whether they are there, so that a missing hook is noticed before the first delivery.
public struct SinkNeed: Sendable, Hashable {
    /// What is needed.
    public enum Thing: Sendable, Hashable {
        /// A program that is executed. A name with a slash is relative to `directory`; another is looked up in
        /// `searchPath`, or in the `PATH` of the daemon if that is nil.
        case program(String, directory: String, searchPath: String? = nil)
        /// A variable in the environment of the daemon, which must not be empty.
        case variable(String)
        /// A file that is read, by its absolute path.
        case file(String)
        /// A file with a secret, by its absolute path.
        case secretFile(String)
        /// A credential of the service manager (systemd.exec(5), LoadCredential).
        case credential(String)
        /// A directory, by its absolute path.
        case directory(String)
        /// A directory in which files are made, by its absolute path.
        case writableDirectory(String)
    }

    /// What is needed.
    public var thing: Thing
    /// The range of the file that names it.
    public var range: SourceRange
    /// The labels of the machines that need it; empty if all do.
    public var labels: Set<MachineLabel>

    /// A need that a range of the file names.
    public init(_ thing: Thing, range: SourceRange, labels: Set<MachineLabel> = []) {
        self.thing = thing
        self.range = range
        self.labels = labels
    }
}

/// Looks whether things are there that sinks need.
package protocol SinkNeedInspector: Sendable {
    /// What is wrong with a thing, as a phrase without a full stop; nil if nothing is. May block on a file system.
    func problem(of thing: SinkNeed.Thing) -> String?

    /// Looks for each of the things on another thread, and calls `done` there with the problems.
    func inspect(
        _ things: Set<SinkNeed.Thing>, done: @escaping @Sendable ([SinkNeed.Thing: String]) -> Void)
}

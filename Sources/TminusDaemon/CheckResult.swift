public import TminusCore
internal import TminusDefinitions
internal import TminusSystem

/// What `tminus check` found: the same reader and the same decoder as the daemon's, once, without a daemon.
public struct CheckResult: Sendable {
    /// Every problem of every file, in the order of their places.
    public let diagnostics: [Diagnostic]
    /// How many definitions are in order.
    public let definitions: Int
    /// How many files were read.
    public let files: Int

    /// Reads and decodes directories and files; those that other users can write only if that is allowed.
    ///
    /// - Throws: ``DaemonError`` if a path does not exist.
    public static func of(
        paths: [String], maxFileSize: Int, allowsInsecurePermissions: Bool = false, sinks: [any Sink.Type]
    ) throws(DaemonError) -> CheckResult {
        let machine = MachinePaths(environment: MachinePaths.environment)
        var paths = paths
        if paths.isEmpty { paths = [try DaemonOptions.standardConfigDirectory(machine)] }
        let results = try DefinitionFiles.load(
            paths, maxFileSize: maxFileSize, allowsInsecurePermissions: allowsInsecurePermissions,
            now: TimerFDClock.now, zones: SystemZoneDatabase(), sinks: sinks)
        return CheckResult(
            diagnostics: results.flatMap(\.diagnostics), definitions: results.map(\.set.definitions.count).reduce(0, +),
            files: results.map(\.files.count).reduce(0, +))
    }

    /// Whether there is an error; warnings do not count.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// One line for people.
    public var summary: String {
        let errors = diagnostics.filter { $0.severity == .error }.count
        let warnings = diagnostics.filter { $0.severity == .warning }.count
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        return [
            count(definitions, "definition"), "in \(count(files, "file"))", count(errors, "error"),
            count(warnings, "warning"),
        ].joined(separator: ", ").replacing(", in", with: " in")
    }
}

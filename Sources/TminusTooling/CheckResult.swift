package import TminusCore
internal import TminusDefinitions
internal import TminusSystem

/// The result of `tminus check`: one run of the daemon's own reader and decoder, without a daemon.
package struct CheckResult: Sendable {
    /// All problems of all files, by place.
    package let diagnostics: [Diagnostic]
    /// The number of valid definitions.
    package let definitions: Int
    /// The number of files that were read.
    package let files: Int

    /// Reads and decodes directories and files, and looks for what their sinks need. Refuses files that other users can
    /// write, unless that is allowed.
    ///
    /// - Parameters:
    ///   - isStrict: Whether something missing that a sink needs is an error. Otherwise it is a warning, because it may
    ///     exist on the machine of the daemon.
    ///   - isDaemon: Whether this process is the daemon.
    ///   - labels: The labels of the machine. What only other machines need is not looked for.
    /// - Throws: ``ToolError`` if a path does not exist.
    package static func of(
        paths: [String], maxFileSize: Int, allowsInsecurePermissions: Bool = false, isStrict: Bool = false,
        isDaemon: Bool = false, labels: Set<MachineLabel> = [], sinks: [any Sink.Type]
    ) throws(ToolError) -> CheckResult {
        var paths = paths
        if paths.isEmpty { paths = [try ConfigDirectory.standard()] }
        let results = try DefinitionFiles.load(
            paths, maxFileSize: maxFileSize, allowsInsecurePermissions: allowsInsecurePermissions,
            now: TimerFDClock.now, zones: SystemZoneDatabase(), sinks: sinks,
            labels: labels,
            check: DefinitionFiles.Check(
                inspector: SystemNeedInspector(isDaemon: isDaemon), severity: isStrict ? .error : .warning))
        return CheckResult(
            diagnostics: results.flatMap(\.diagnostics), definitions: results.map(\.set.definitions.count).reduce(0, +),
            files: results.map(\.files.count).reduce(0, +))
    }

    /// Whether there is an error; warnings do not count.
    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// One line for users.
    package var summary: String {
        let errors = diagnostics.filter { $0.severity == .error }.count
        let warnings = diagnostics.filter { $0.severity == .warning }.count
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        return [
            count(definitions, "definition"), "in \(count(files, "file"))", count(errors, "error"),
            count(warnings, "warning"),
        ].joined(separator: ", ").replacing(", in", with: " in")
    }
}

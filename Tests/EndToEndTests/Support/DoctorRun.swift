/// One run of `tminus doctor`.
struct DoctorRun {
    /// The exit status.
    var status: CInt
    /// The lines of standard output.
    var output: [String]
    /// The lines of standard error.
    var errors: [String]

    /// Runs it; `prefix` is a program that starts it with other surroundings.
    static func of(
        _ arguments: [String], _ environment: [String: String] = Program.environment, prefix: [String] = []
    ) async throws -> DoctorRun {
        let words = prefix + [Program.tminus, "doctor"] + arguments
        let program = try Program(words[0], Array(words.dropFirst()), environment: environment)
        return DoctorRun(status: try await program.end(), output: program.output.texts, errors: program.errors.texts)
    }

    /// Runs it until it finds something, or the time limit ends.
    static func of(_ arguments: [String], until code: String) async throws -> DoctorRun {
        let deadline = ContinuousClock.now + Waiting.limit
        var run = try await of(arguments)
        while run.line(code) == nil, ContinuousClock.now < deadline { run = try await of(arguments) }
        return run
    }

    /// What the machine on which the tests run may have, whatever tminus does.
    private static let machine: Set<String> = [
        "inotify-watches", "inotify-instances", "descriptors", "clock-unsynchronised", "zone-data-old", "machine-zone",
        "disk-low", "inodes-low", "memory-file-system",
    ]

    /// `severity: code` of each finding.
    var all: [String] {
        output.compactMap { line in
            let parts = line.split(separator: ": ", maxSplits: 2)
            return parts.count == 3 && ["error", "warning"].contains(parts[0]) ? "\(parts[0]): \(parts[1])" : nil
        }
    }

    /// The same, without those of the machine.
    var codes: [String] { all.filter { !Self.machine.contains(String($0.split(separator: " ")[1])) } }

    /// The line of the first finding with a code.
    func line(_ code: String) -> String? { output.first { $0.contains(": \(code): ") } }
}

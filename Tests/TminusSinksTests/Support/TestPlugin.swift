import Synchronization
import TminusCore
import TminusTestKit

@testable import TminusSinks

/// A plug-in in shell, in a directory of its own, with what it says to the log.
struct TestPlugin {
    /// What one says that is ready for that many.
    static func ready(_ maxConcurrent: Int = 8) -> String {
        #"IFS= read -r hello; echo '{"ready":1,"name":"test","max-concurrent":\#(maxConcurrent)}'"#
    }

    /// Reads a delivery: `$line`, and its `$id`.
    static let next = #"IFS= read -r line || exit 0; id=${line#*'"id":"'}; id=${id%%'"'*}"#

    /// Answers it.
    static func answer(_ outcome: String = #""outcome":"delivered""#) -> String {
        #"printf '{"id":"%s",%s}\n' "$id" '\#(outcome)'"#
    }

    /// Takes everything.
    static let good = "\(ready()); while :; do \(next); \(answer()); done"

    let directory: TemporaryDirectory
    let log = LogLines()
    let sink: PluginSink

    /// A plug-in that runs this script, not started yet.
    init(
        _ script: String, in directory: TemporaryDirectory? = nil, timeout: Duration = Bounded.limit,
        startLimit: Duration = Bounded.limit, killAfter: Duration = .milliseconds(200), config: Node? = nil,
        secrets: [String: SecretSource] = [:], maxConcurrent: Int = 8
    ) throws {
        let directory = try directory ?? TemporaryDirectory()
        self.directory = directory
        try directory.write("plugin.sh", "#!/bin/sh\n\(script)\n", isProgram: true)
        let settings = PluginSettings(
            program: directory.file("plugin.sh"), directory: directory.path, config: config, timeout: timeout,
            startLimit: startLimit, killAfter: killAfter, secrets: secrets, maxConcurrent: maxConcurrent)
        sink = PluginSink(settings, log: log.log)
    }
}

/// What a sink wrote to the log.
final class LogLines: Sendable {
    private let watched = Watched<[String]>([])
    var texts: [String] { watched.value }
    var log: SinkLog { SinkLog { [watched] _, text in watched.update { $0.append(text) } } }

    /// Waits until a line is as asked.
    func wait(for isSatisfied: @escaping @Sendable (String) -> Bool) async -> Bool {
        await watched.wait(upTo: Bounded.limit) { $0.contains(where: isSatisfied) }
    }
}

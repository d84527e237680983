import Foundation
import Testing
import TminusTerminal

/// Recorded texts in `Golden/`.
enum Golden {
    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Golden")

    /// Compares lines with a golden file. `TMINUS_RECORD=1` in the environment re-records it. Escape characters are
    /// recorded as `␛`.
    static func compare(_ lines: [String], with name: String) throws {
        let text = lines.map { $0.replacing("\u{1B}", with: "␛") + "\n" }.joined()
        let record = directory.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["TMINUS_RECORD"] == "1" { try Data(text.utf8).write(to: record) }
        #expect(try text == String(decoding: Data(contentsOf: record), as: UTF8.self), "\(name)")
    }
}

import Foundation
import Testing

/// Texts for people, recorded in `Golden/`.
enum Golden {
    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Golden")

    /// The bytes of a file.
    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: directory.appendingPathComponent(name)))
    }

    /// Compares a text with its record; `TMINUS_RECORD=1` records it again.
    static func compare(_ text: String, with name: String) throws {
        let record = directory.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["TMINUS_RECORD"] == "1" { try Data(text.utf8).write(to: record) }
        #expect(try text == String(decoding: Data(contentsOf: record), as: UTF8.self), "\(name)")
    }
}

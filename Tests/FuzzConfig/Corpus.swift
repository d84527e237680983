import Foundation

/// What the inputs are made from.
enum Corpus {
    /// The definition files at `path` and below.
    static func files(_ path: String) throws -> [(path: String, bytes: [UInt8])] {
        func isDefinitions(_ name: String) -> Bool { name.hasSuffix(".yaml") || name.hasSuffix(".json") }
        if isDefinitions(path) { return [(path, [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))] }
        let names = try FileManager.default.subpathsOfDirectory(atPath: path).filter(isDefinitions)
        return try names.map { ($0, [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(path)/\($0)")))) }
    }

    /// Large files of one kind each, of 1 MiB where nothing else is said.
    static let shapes: [(name: String, bytes: [UInt8])] = {
        let size = 1 << 20
        func repeated(_ piece: String) -> [UInt8] {
            Array(String(repeating: piece, count: size / piece.utf8.count).utf8)
        }
        func lines(_ line: (Int) -> String) -> [UInt8] {
            var bytes: [UInt8] = []
            for index in 0... {
                bytes += Array(line(index).utf8)
                if bytes.count > size { break }
            }
            return bytes
        }
        let bomb =
            "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
            + (1...60).map { level in
                "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ") + "]\n"
            }.joined()
        return [
            ("alias bomb of 60 levels", Array(bomb.utf8)),
            ("one line of text", repeated("a")),
            ("one line of '['", repeated("[")),
            ("one line of '- '", repeated("- ")),
            ("one line of '{a: '", repeated("{a: ")),
            ("one line of '{\"a\":'", repeated("{\"a\":")),
            ("one quoted text", [0x22] + repeated("x") + [0x22]),
            ("unknown keys", lines { "key\($0): 1\n" }),
            ("the same key", lines { _ in "timers:\n" }),
            ("timers that are right", Array("timers:\n".utf8) + lines { "  t\($0): { duration: 1h }\n" }),
            ("timers that are wrong", Array("timers:\n".utf8) + lines { "  t\($0): { duratoin: 1h }\n" }),
            ("unknown sinks", Array("timers:\n".utf8) + lines { "  t\($0): { duration: 1h, on-expiry: s\($0) }\n" }),
            ("lead times", Array("timers: { t: { duration: 1h, remind: [".utf8) + lines { "\($0)s, " }),
            ("blank lines", repeated("\n")),
        ]
    }()
}

import Foundation
import Testing

@testable import TminusSystem

@Suite("Tar archives")
struct TarTests {
    private let directory: String

    init() throws {
        directory = NSTemporaryDirectory() + "tminus-tar-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    private var archive: String { "\(directory)/a.tar" }

    /// Members of all kinds, with names and links that do not fit into a header.
    private static let entries: [(entry: TarEntry, content: [UInt8])] = {
        let long = (0..<30).map { "directory\($0)" }.joined(separator: "/")
        func file(_ path: String, _ content: [UInt8]) -> (TarEntry, [UInt8]) {
            (TarEntry(path: path, kind: .file(size: content.count), mode: 0o640, modified: 1_700_000_000), content)
        }
        return [
            (TarEntry(path: "d", kind: .directory, mode: 0o750, modified: 1_700_000_001), []),
            file("d/empty", []), file("d/512", [UInt8](repeating: 7, count: 512)), file("d/tä", Array("tea\n".utf8)),
            file("d/" + String(repeating: "n", count: 98), [1]), file("d/" + String(repeating: "n", count: 150), [2]),
            file("\(long)/name", [UInt8](repeating: 3, count: 70_000)),
            (TarEntry(path: "l", kind: .link(to: "d/512"), mode: 0o777, modified: 1_700_000_002), []),
            (TarEntry(path: "m", kind: .link(to: long), mode: 0o777, modified: 1_700_000_003), []),
        ]
    }()

    private func write() throws {
        var writer = try TarWriter(creating: archive)
        for (entry, content) in Self.entries {
            try writer.begin(entry)
            guard case .file = entry.kind else { continue }
            try writer.write(content[...])
            try writer.end()
        }
        try writer.finish()
    }

    private func read() throws -> [(entry: TarEntry, content: [UInt8])] {
        var reader = try TarReader(archive)
        var found: [(TarEntry, [UInt8])] = []
        while let entry = try reader.next() {
            var content: [UInt8] = []
            try reader.content { content += $0 }
            found.append((entry, content))
        }
        return found
    }

    private func run(_ words: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        let pipe = Foundation.Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(words)")
        return String(decoding: output, as: UTF8.self)
    }

    @Test("what was written is read again")
    func roundTrip() throws {
        try write()
        let found = try read()
        #expect(found.map(\.entry) == Self.entries.map(\.entry))
        #expect(found.map(\.content) == Self.entries.map(\.content))
    }

    @Test("tar(1) reads what was written")
    func readByTar() throws {
        try write()
        let target = "\(directory)/out"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        _ = try run("tar", "-xf", archive, "-C", target)
        for (entry, content) in Self.entries {
            let path = "\(target)/\(entry.path)"
            switch entry.kind {
            case .file: #expect(FileManager.default.contents(atPath: path).map(Array.init) == content, "\(entry.path)")
            case .link(let link): #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == link)
            case .directory: #expect(FileManager.default.fileExists(atPath: path))
            }
        }
        #expect(try run("tar", "--list", "--verbose", "-f", archive).contains("-rw-r-----"))
    }

    @Test("what tar(1) wrote is read", arguments: ["ustar", "pax", "gnu"])
    func writtenByTar(format: String) throws {
        try FileManager.default.createDirectory(atPath: "\(directory)/in/d", withIntermediateDirectories: true)
        let content = [UInt8](repeating: 5, count: 3_000)
        try Data(content).write(to: URL(fileURLWithPath: "\(directory)/in/d/file"))
        try FileManager.default.createSymbolicLink(atPath: "\(directory)/in/d/link", withDestinationPath: "file")
        let long = format == "pax" ? String(repeating: "n", count: 180) : "n"
        try Data([1]).write(to: URL(fileURLWithPath: "\(directory)/in/d/\(long)"))
        _ = try run("tar", "-c", "--format=\(format)", "--sort=name", "-f", archive, "-C", "\(directory)/in", "d")
        let found = try read()
        #expect(found.map(\.entry.path) == ["d", "d/file", "d/link", "d/\(long)"])
        #expect(found.map(\.entry.kind) == [.directory, .file(size: 3_000), .link(to: "file"), .file(size: 1)])
        #expect(found[1].content == content)
    }

    @Test("an archive that is cut off anywhere is refused")
    func cutOff() throws {
        try write()
        let whole = try #require(FileManager.default.contents(atPath: archive))
        for size in stride(from: 0, to: whole.count - 2 * 512, by: 499) {
            try whole.prefix(size).write(to: URL(fileURLWithPath: archive))
            #expect(throws: TarProblem.self, "\(size) of \(whole.count)") { try read() }
        }
    }

    @Test("one changed byte of a header is noticed")
    func damaged() throws {
        try write()
        let whole = try #require(FileManager.default.contents(atPath: archive))
        for index in stride(from: 0, to: 512, by: 7) {
            var bytes = whole
            bytes[index] ^= 0x41
            try bytes.write(to: URL(fileURLWithPath: archive))
            #expect(throws: TarProblem.self, "byte \(index)") { try read() }
        }
    }

    @Test("devices, pipes and hard links are refused", arguments: ["1", "3", "4", "6", "S"])
    func kinds(type: String) throws {
        var block = TarHeader.encode(TarEntry(path: "x", kind: .file(size: 0), mode: 0o600, modified: 0))
        block[156] = try #require(type.utf8.first)
        let sum = block.indices.reduce(0) { $0 + Int((148..<156).contains($1) ? 0x20 : block[$1]) }
        let digits = String(sum, radix: 8)
        for (index, byte) in (String(repeating: "0", count: 6 - digits.count) + digits).utf8.enumerated() {
            block[148 + index] = byte
        }
        try Data(block + [UInt8](repeating: 0, count: 1_024)).write(to: URL(fileURLWithPath: archive))
        let problem = #expect(throws: TarProblem.self) { try read() }
        #expect(problem?.text.hasSuffix("'x'") == true)
    }
}

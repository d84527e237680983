import Foundation
import TminusTestKit

/// An answer of the control server, with its header fields in lower case.
struct RawAnswer: Sendable {
    var status = 0
    var headers: [String: String] = [:]
    var body = ""

    init(_ text: String) throws {
        guard let end = text.range(of: "\r\n\r\n") else { throw ConformanceFailure("no answer: '\(text)'") }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        status = lines.first.flatMap { Int($0.dropFirst("HTTP/1.1 ".count).prefix(3)) } ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        body = String(text[end.upperBound...])
    }

    /// The body as a JSON object.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]) ?? [:]
    }

    /// The messages of its diagnostics.
    var messages: [String] { (json["diagnostics"] as? [[String: Any]] ?? []).compactMap { $0["message"] as? String } }
}

extension ControlHarness {
    /// Sends one request over a connection of its own.
    func send(
        _ method: String, _ target: String, _ headers: [String: String] = [:], body: String? = nil
    ) async throws -> RawAnswer {
        var headers = headers
        if let body { headers["content-length"] = "\(body.utf8.count)" }
        let fields = headers.map { "\($0): \($1)\r\n" }.joined()
        let socket = try RawSocket(path)
        try await socket.write("\(method) \(target) HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\(fields)\r\n")
        // The server may refuse before it has read all of it.
        if let body { try? await socket.write(body) }
        return try RawAnswer(try await socket.readToEnd())
    }

    /// Where a definition file is.
    func file(_ name: String) -> String { "\(directory)/config/\(name)" }

    /// Writes a definition file.
    func save(_ name: String, _ text: String) throws {
        let path = file(name)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    /// The text of a definition file; nil if there is none.
    func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: file(name)).map { String(decoding: $0, as: UTF8.self) }
    }
}

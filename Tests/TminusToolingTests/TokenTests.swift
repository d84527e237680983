import Foundation
import Testing
import TminusCore

@testable import TminusTooling

@Suite("Tokens")
struct TokenTests {
    private let now = Timestamp(rfc3339: "2026-11-25T10:00:00Z") ?? .distantPast

    /// A directory of its own, in which the path of a token file is free.
    private func withFile(_ body: (TokenFile) throws -> Void) throws {
        let directory = NSTemporaryDirectory() + "tminus-tokens-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try body(TokenFile("\(directory)/tokens"))
    }

    private func content(_ file: TokenFile) throws -> String {
        String(decoding: try #require(FileManager.default.contents(atPath: file.path)), as: UTF8.self)
    }

    @Test("a secret has 160 random bits, and the file has its SHA-256 only")
    func made() throws {
        let (token, secret) = AccessToken.make("lobby", .read, now: now)
        #expect(secret.wholeMatch(of: /tminus_[a-z2-7]{32}/) != nil)
        #expect(token.made == "2026-11-25" && token.digest.count == 64)
        #expect(AccessToken.make("lobby", .read, now: now).secret != secret)
        // FIPS 180-4, "abc".
        #expect(
            RandomSecret.digest(of: "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("the file is made for its owner alone, and its other lines stay as they are when tokens come and go")
    func file() throws {
        try withFile { file in
            let (first, secret) = AccessToken.make("lobby", .read, now: now)
            try file.add(first)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try content(file) == "lobby read \(first.digest) 2026-11-25\n")
            try Data("# walls\n\n\(first.line)\n# the end".utf8).write(to: URL(fileURLWithPath: file.path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            let (second, _) = AccessToken.make("laptop", .edit, now: now)
            try file.add(second)
            #expect(try content(file) == "# walls\n\n\(first.line)\n# the end\n\(second.line)\n")
            let list = try file.read()
            #expect(list.tokens == [first, second] && list.problems.isEmpty)
            #expect(list.token(withSecret: secret) == first)
            try file.remove("lobby")
            #expect(try content(file) == "# walls\n\n# the end\n\(second.line)\n")
            #expect(try file.read().token(withSecret: secret) == nil)
        }
    }

    @Test("a name is there once, and a name that is unknown is answered with the nearest")
    func names() throws {
        try withFile { file in
            #expect(throws: ToolError(.badData, "there is no token: \(file.path) is missing")) {
                try file.remove("lobby")
            }
            try file.add(AccessToken.make("lobby", .read, now: now).token)
            let again = AccessToken.make("lobby", .edit, now: now).token
            #expect(throws: ToolError.self) { try file.add(again) }
            let error = #expect(throws: ToolError.self) { try file.remove("loby") }
            #expect(error?.message == "there is no token 'loby', did you mean 'lobby'?")
            #expect(try file.read().tokens.count == 1)
        }
    }

    @Test("a file that other users can read or write is refused", arguments: [0o640, 0o604, 0o620, 0o602, 0o644])
    func permissions(mode: Int) throws {
        try withFile { file in
            try file.add(AccessToken.make("lobby", .read, now: now).token)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            let error = #expect(throws: ToolError.self) { try file.read() }
            #expect(error?.kind == .permission && error?.message.contains("run 'chmod 600 ") == true)
            #expect(try file.read(allowsInsecurePermissions: true).tokens.count == 1)
        }
    }

    @Test(
        "a line that is wrong gives nobody access, and the message says where and what to write",
        arguments: [
            ("lobby read", "line 2: expected 'NAME LEVEL SHA-256 DATE'"),
            ("lob/by read DIGEST 2026-11-25", "the name 'lob/by' is not"),
            ("lobby open DIGEST 2026-11-25", "'lobby': the level must be read, control or edit"),
            ("lobby socket DIGEST 2026-11-25", "'lobby': the level must be"),
            ("lobby read abc 2026-11-25", "'lobby': the SHA-256 must be 64"),
            ("lobby read DIGEST today", "'lobby': the date must be as in"),
            ("first read DIGEST 2026-11-25", "there are two tokens with the name 'first'"),
            ("lobby read DIGEST 2026-11-25 more", "expected 'NAME LEVEL"),
        ])
    func broken(line: String, words: String) {
        let good = AccessToken.make("first", .read, now: now).token
        let bad = line.replacingOccurrences(of: "DIGEST", with: RandomSecret.digest(of: "bad"))
        let list = TokenList(Array("\(good.line)\n\(bad)\n".utf8))
        #expect(list.tokens == [good] && list.token(withSecret: "bad") == nil)
        #expect(list.problems.count == 1 && list.problems[0].contains(words), "\(list.problems)")
    }

    @Test("any bytes can be read")
    func anyBytes() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(TokenList(bytes).tokens.isEmpty)
        }
    }
}

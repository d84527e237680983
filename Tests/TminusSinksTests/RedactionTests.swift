import Foundation
import Testing
import TminusCore
import TminusTestKit

@testable import TminusSinks

@Suite("Redaction of secrets")
struct RedactionTests {
    /// Without small letters, which stand for other text in these tests, and with characters that every form escapes.
    private static let word = #"S3CR3T/"4F2D91\&%+"#
    private static let secret = "B34R3R \(word)"

    private func cleaned(_ text: String, _ secrets: [String], cuts: Redaction.Cuts = []) -> String {
        let redaction = Redaction(secrets.map { Array($0.utf8) })
        return String(decoding: redaction.clean(Array(text.utf8), cuts: cuts), as: UTF8.self)
    }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private static func json(_ text: String, slashes: Bool = true) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = slashes ? [] : .withoutEscapingSlashes
        return String(decoding: try encoder.encode([text]).dropFirst(2).dropLast(2), as: UTF8.self)
    }

    private static func percent(_ text: String, uppercase: Bool) -> String {
        text.utf8.map { byte in
            let digits = hexadecimal(Int(byte), digits: 2)
            return "%" + (uppercase ? digits.uppercased() : digits)
        }.joined()
    }

    /// Every form of a text that is recognised as a whole.
    private static func forms(_ text: String) throws -> [String: String] {
        let encoded = base64(text)
        let escaped = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        var forms = ["plain": text, "base64": encoded]
        forms["base64 for URLs"] = encoded.replacing("+", with: "-").replacing("/", with: "_")
        forms["base64 without padding"] = encoded.replacing("=", with: "")
        forms["base64, wrapped"] = wrapped(encoded, "\n")
        forms["percent, all"] = percent(text, uppercase: true)
        forms["percent, small digits"] = percent(text, uppercase: false)
        forms["percent, some"] = escaped
        forms["form"] = escaped.replacing("%20", with: "+")
        forms["JSON"] = try json(text)
        forms["JSON without escaped slashes"] = try json(text, slashes: false)
        forms["JSON in JSON"] = try json(json(text))
        forms["JSON, all escaped"] = text.utf16.map { "\\u" + hexadecimal(Int($0), digits: 4) }.joined()
        forms["percent in JSON"] = try json(escaped)
        forms["hexadecimal escapes"] = text.utf8.map { "\\x" + hexadecimal(Int($0), digits: 2) }.joined()
        forms["wrapped"] = wrapped(text, "\n")
        forms["wrapped with CR"] = wrapped(text, "\r\n")
        forms["wrapped in JSON"] = try json(wrapped(text, "\n"))
        return forms
    }

    private static func hexadecimal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }

    private static func wrapped(_ text: String, _ lineBreak: String) -> String {
        text.enumerated().map { $0 > 0 && $0 % 5 == 0 ? "\(lineBreak)\($1)" : "\($1)" }.joined()
    }

    @Test(
        "a secret, and a word of it, is replaced in every form",
        arguments: [secret, word, "pässwörter für 🚀 alle", "line one, longer\nline two, longer"])
    func forms(part: String) throws {
        let secrets = part == Self.word ? [Self.secret] : [part]
        for (name, form) in try Self.forms(part) {
            #expect(cleaned("<\(form)>", secrets) == "<(secret)>", "\(name): \(form)")
        }
    }

    @Test(
        "base64 of a longer text loses the letters that hold the secret", arguments: ["", "u", "us", "user:", "a b c"])
    func base64Within(before: String) throws {
        let text = Self.base64("\(before)\(Self.secret) and more")
        let clean = cleaned(text, [Self.secret])
        let kept = String(text.prefix(before.utf8.count * 8 / 6))
        #expect(clean.hasPrefix("\(kept)(secret)") && clean.utf8.count < 40, "\(clean)")
        #expect(!clean.contains(text.dropFirst(kept.utf8.count + 1).prefix(4)), "\(clean)")
    }

    @Test("each line of a secret is replaced, however the lines are separated")
    func lines() {
        let key = [
            "-----BEGIN PRIVATE KEY-----", "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g",
            "ZXhhbXBsZQ==", "aGk=", "-----END PRIVATE KEY-----",
        ]
        for separator in ["\n", "\r\n", "\\n", " ", ", ", "\n> "] {
            let clean = cleaned(key.joined(separator: separator), [key.joined(separator: "\n") + "\n"])
            let rest = clean.replacing("(secret)", with: "").replacing(separator, with: "")
            #expect(rest == "", "\(clean)")
        }
        for line in key { #expect(cleaned("x \(line) y", [key.joined(separator: "\n")]) == "x (secret) y") }
    }

    @Test("a part of 8 characters is replaced wherever it stands, a shorter one is not")
    func parts() {
        for start in 0..<(Self.word.count - 8) {
            let part = Self.word.dropFirst(start).prefix(8)
            #expect(cleaned("<\(part)>", [Self.secret]) == "<(secret)>", "\(part)")
        }
        #expect(cleaned("<\(Self.word.prefix(7))>", [Self.secret]) == "<\(Self.word.prefix(7))>")
    }

    @Test("a secret of 4 to 7 characters is replaced as a whole, a shorter one is not")
    func short() throws {
        for secret in ["T0K3N", "T0/\"3N", "T0K3N4X"] {
            for (name, form) in try Self.forms(secret) {
                #expect(cleaned("<\(form)>", [secret]) == "<(secret)>", "\(name): \(form)")
            }
        }
        #expect(cleaned("a T0K3 b T0K b", ["T0K3", "T0K"]) == "a (secret) b T0K b")
    }

    @Test("beside a cut nothing of a secret is kept, wherever it is cut and in every form")
    func cuts() throws {
        let filling = String(repeating: "x", count: 100)
        for secret in [Self.secret, "T0K3N"] {
            for (name, form) in try Self.forms(secret) where !name.hasPrefix("base64") {
                let redaction = Redaction([Array(secret.utf8)])
                let text = Array("\(filling)\(form)\(filling)".utf8)
                for place in text.indices {
                    let end = redaction.clean(Array(text[place...]), cuts: .start)
                    let start = redaction.clean(Array(text[..<place]), cuts: .end)
                    for clean in [start, end].map({ String(decoding: $0, as: UTF8.self) }) {
                        #expect(clean.replacing("(secret)", with: "").allSatisfy { $0 == "x" }, "\(name): \(clean)")
                    }
                }
            }
        }
    }

    @Test("without secrets, and far from a cut, nothing is changed")
    func unchanged() {
        let bytes = (0..<500).map { UInt8(truncatingIfNeeded: $0) }
        #expect(Redaction().clean(bytes, cuts: [.start, .end]) == bytes)
        let redaction = Redaction([Array(Self.secret.utf8)])
        #expect(redaction.clean(bytes) == bytes)
        #expect(redaction.clean(bytes, cuts: .start) == Array(bytes[Redaction.margin...]))
        #expect(redaction.clean(bytes, cuts: .end) == Array(bytes[..<(500 - Redaction.margin)]))
        #expect(redaction.clean(Array(bytes.prefix(50)), cuts: .end) == [])
    }

    @Test("the tail of a stream has no part of a secret, wherever its window begins", arguments: [1, 37, 10_000])
    func tail(pieceSize: Int) {
        let redaction = Redaction([Array(Self.secret.utf8)])
        for place in 0...(Self.secret.utf8.count + 1) {
            var tail = OutputTail()
            let behind = String(repeating: "y", count: OutputTail.limit - place)
            let stream = Array("\(String(repeating: "x", count: 9_000))\(Self.secret)\(behind)".utf8)
            for start in stride(from: 0, to: stream.count, by: pieceSize) {
                stream[start..<min(stream.count, start + pieceSize)].withUnsafeBytes { tail.append($0) }
            }
            // The window may begin within a mark, which has small letters only.
            let text = tail.excerpt(redaction)?.text.filter { !"(secret)".contains($0) }
            #expect(text?.contains { $0 != "x" && $0 != "y" } == false && text?.utf8.count ?? 0 > 4_000, "\(place)")
        }
    }

    @Test("a piece longer than the window ends what was kept before, so that no two parts of a stream are joined")
    func piece() {
        var tail = OutputTail()
        for text in ["begin", String(repeating: "x", count: 100_000)] {
            Array(text.utf8).withUnsafeBytes { tail.append($0) }
        }
        #expect(tail.kept.allSatisfy { $0 == UInt8(ascii: "x") })
    }

    @Test("the credentials of a header field and of a URL are secrets without their scheme, and a password alone")
    func credentials() throws {
        func parts(_ secrets: [[UInt8]]) -> [String] { secrets.map { String(decoding: $0, as: UTF8.self) } }
        #expect(parts(WebhookSecrets.of(Array("Bearer abc12".utf8))) == ["Bearer abc12", "abc12"])
        let basic = "Basic \(Self.base64("user:pw:12"))"
        #expect(
            parts(WebhookSecrets.of(Array(basic.utf8))) == [basic, Self.base64("user:pw:12"), "user:pw:12", "pw:12"])
        let target = try WebhookTarget("https://user:pw12@h/a?room=7&token=a%2Fb12")
        #expect(
            parts(WebhookSecrets.of(target)) == [
                "/a?room=7&token=a%2Fb12", "a%2Fb12", "Basic \(Self.base64("user:pw12"))", Self.base64("user:pw12"),
                "user:pw12", "pw12",
            ])
        let redaction = Redaction(WebhookSecrets.of(target))
        #expect(
            redaction.clean("no pw12, no a/b12, no a%2fb12, room 7") == "no (secret), no (secret), no (secret), room 7")
    }

    @Test("the texts of a plug-in are searched before they are shortened")
    func plugIn() {
        let redaction = Redaction([Array(Self.secret.utf8)])
        for count in 0...220 {
            let filling = String(repeating: "x", count: count)
            for line in [
                #"{"id":"a","outcome":"dead","reason":"\#(filling)S3CR3T\/\"4F2D91\\&%+"}"#,
                #"{"id":"a","outcome":"\#(filling)S3CR3T\/\"4F2D91"}"#, "\(filling)\(filling)\(Self.secret)",
            ] {
                let said = "\(PluginMessage.answer(Array(line.utf8), redaction))"
                #expect(!said.contains("S3") && !said.contains("B3"), "\(said)")
            }
        }
    }
}

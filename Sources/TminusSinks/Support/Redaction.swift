import Synchronization

/// Replaces secrets in what a receiver said, before any of it is kept or shown: a hook may print its environment, and a
/// server may repeat a request.
///
/// A run of 8 characters that a secret has too is replaced, so neither another split of the secret nor a part of it
/// gets through. The run may be written plainly, in base64, percent-encoded or with backslash escapes as in JSON, and
/// wrapped over lines. A secret of 4 to 7 characters is replaced as a whole.
struct Redaction: Sendable {
    /// Where the receiver's text was cut off.
    struct Cuts: OptionSet {
        let rawValue: Int
        static let start = Cuts(rawValue: 1)
        static let end = Cuts(rawValue: 2)
    }

    /// The number of bytes beside a cut that are never kept, because they may be a part of a secret that is too short to
    /// be recognised. It holds a run in its longest form, JSON in JSON: `\\u00XX`. To keep N bytes, read this many more.
    static let margin = 64
    private static let mark = Array("(secret)".utf8)

    /// Nil without secrets.
    private let forms: LazyForms?

    /// A redaction of these secrets. Those of fewer than ``SecretForms/shortest`` bytes are ignored.
    init(_ secrets: [[UInt8]] = []) {
        let known = secrets.filter { $0.count >= SecretForms.shortest }
        forms = known.isEmpty ? nil : LazyForms(known)
    }

    /// Returns `bytes` with a mark in place of each secret, and without the ``margin`` beside each cut.
    func clean(_ bytes: [UInt8], cuts: Cuts = []) -> [UInt8] {
        guard let forms, !bytes.isEmpty else { return bytes }
        let first = cuts.contains(.start) ? min(Self.margin, bytes.count) : 0
        let end = max(first, bytes.count - (cuts.contains(.end) ? Self.margin : 0))
        var result: [UInt8] = []
        var next = first
        for range in forms.value.places(in: bytes) where range.upperBound > first && range.lowerBound < end {
            if next < range.lowerBound { result += bytes[next..<range.lowerBound] }
            result += Self.mark
            next = range.upperBound
        }
        if next < end { result += bytes[next..<end] }
        return result
    }

    /// Returns `text` with a mark in place of each secret.
    func clean(_ text: String) -> String {
        forms == nil ? text : String(decoding: clean(Array(text.utf8)), as: UTF8.self)
    }
}

/// Computes the forms at the first use: most receivers say nothing.
private final class LazyForms: Sendable {
    private let secrets: [[UInt8]]
    private let state = Mutex<SecretForms?>(nil)

    init(_ secrets: [[UInt8]]) {
        self.secrets = secrets
    }

    var value: SecretForms {
        state.withLock { state in
            let forms = state ?? SecretForms(secrets)
            state = forms
            return forms
        }
    }
}

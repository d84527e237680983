import FoundationEssentials

/// What of some secrets is searched for.
///
/// Line breaks count neither in a secret nor in a text.
struct SecretForms: Sendable {
    /// Shorter secrets are not searched for, because they are part of many other words.
    static let shortest = 4
    /// A part of a secret of this length is recognised. Eight bytes fit into one integer.
    static let run = 8
    /// The fewest characters of a secret in base64 that are searched for as a whole.
    private static let shortestEncoded = 6

    /// Each ``run`` of a secret, its first byte in the most significant place.
    private var runs: Set<UInt64> = []
    /// Each ``run`` of a secret in base64, for every place at which it may begin within a longer text.
    private var encodedRuns: Set<UInt64> = []
    /// Secrets that are shorter than a run.
    private var wholes: Set<[UInt8]> = []
    /// The same in base64.
    private var encodedWholes: Set<[UInt8]> = []

    /// The forms of secrets of at least ``shortest`` bytes: of the whole, of each line, and of what percent encoding and
    /// words in base64 stand for.
    init(_ secrets: [[UInt8]]) {
        // A secret may have 64 KiB, and growing a set takes most of the time. Base64 has 4/3 as many letters, in three ways.
        let size = secrets.reduce(0) { $0 + $1.count }
        runs.reserveCapacity(size)
        encodedRuns.reserveCapacity(4 * size)
        for secret in secrets {
            add(secret)
            if let text = DecodedText.percentDecoded(secret) { add(text) }
            for line in secret.split(whereSeparator: Self.isLineBreak) where line.count < secret.count {
                add(Array(Self.trimmed(line)))
            }
            for word in secret.split(whereSeparator: Self.isSpace) {
                if let text = Self.decoded(word), text.count >= Self.run { addRuns(of: text) }
            }
        }
    }

    /// The places of secrets in `bytes`, in order, without overlaps.
    func places(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for reading in DecodedText.readings(of: bytes) { collect(in: reading, &found) }
        guard !found.isEmpty else { return [] }
        var merged: [Range<Int>] = []
        for place in found.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let place = Self.wholeCharacters(place, bytes)
            if let last = merged.last, place.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
            } else {
                merged.append(place)
            }
        }
        return merged
    }

    // MARK: Searching

    private func collect(in text: DecodedText, _ found: inout [Range<Int>]) {
        let bytes = text.bytes
        var plain: UInt64 = 0
        var encoded: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            plain = plain << 8 | UInt64(byte)
            encoded = encoded << 8 | UInt64(Self.standardLetter(byte))
            guard index + 1 >= Self.run else { continue }
            let place = (index + 1 - Self.run)..<(index + 1)
            if runs.contains(plain) { found.append(text.source(of: place)) }
            if encodedRuns.contains(encoded) { found.append(text.source(of: Self.widened(place, bytes))) }
        }
        for whole in wholes {
            for place in Self.places(of: whole, in: bytes) { found.append(text.source(of: place)) }
        }
        guard !encodedWholes.isEmpty else { return }
        let letters = bytes.map(Self.standardLetter)
        for whole in encodedWholes {
            for place in Self.places(of: whole, in: letters) {
                found.append(text.source(of: Self.widened(place, bytes)))
            }
        }
    }

    private static func places(of whole: [UInt8], in bytes: [UInt8]) -> [Range<Int>] {
        guard let first = whole.first, bytes.count >= whole.count else { return [] }
        return (0...(bytes.count - whole.count)).compactMap { start in
            let place = start..<(start + whole.count)
            return bytes[start] == first && bytes[place].elementsEqual(whole) ? place : nil
        }
    }

    /// With the letters beside a place in base64, which hold some bits of the secret, and the padding.
    private static func widened(_ place: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
        var (start, end) = (place.lowerBound, place.upperBound)
        if start > 0, isLetter(bytes[start - 1]) { start -= 1 }
        if end < bytes.count, isLetter(bytes[end]) { end += 1 }
        while end < bytes.count, bytes[end] == UInt8(ascii: "="), end < place.upperBound + 3 { end += 1 }
        return start..<end
    }

    /// Without the halves of characters in UTF-8 that a place may begin or end in.
    private static func wholeCharacters(_ place: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
        func isInside(_ index: Int) -> Bool {
            index < bytes.count && bytes[index] & 0b1100_0000 == 0b1000_0000
        }
        var (start, end) = (place.lowerBound, place.upperBound)
        // A character has at most three continuation bytes (RFC 3629, section 3).
        while start > 0, isInside(start), start > place.lowerBound - 3 { start -= 1 }
        while isInside(end), end < place.upperBound + 3 { end += 1 }
        return start..<end
    }

    // MARK: Forms

    private mutating func add(_ secret: [UInt8]) {
        let text = secret.filter { !Self.isLineBreak($0) }
        guard text.count >= Self.shortest else { return }
        if text.count >= Self.run {
            addRuns(of: text)
            if text.count < secret.count { addEncodedRuns(of: secret) }
        } else {
            wholes.insert(text)
            for letters in Self.base64(text) where letters.count >= Self.shortestEncoded {
                encodedWholes.insert(letters)
            }
        }
    }

    private mutating func addRuns(of text: [UInt8]) {
        Self.forEachRun(of: text) { runs.insert($0) }
        addEncodedRuns(of: text)
    }

    private mutating func addEncodedRuns(of text: [UInt8]) {
        for letters in Self.base64(text) { Self.forEachRun(of: letters) { encodedRuns.insert($0) } }
    }

    private static func forEachRun(of bytes: [UInt8], _ body: (UInt64) -> Void) {
        var value: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            value = value << 8 | UInt64(byte)
            if index + 1 >= run { body(value) }
        }
    }

    /// `text` in base64 (RFC 4648, section 4) after none, one and two other bytes: the letters that depend on `text` alone.
    private static func base64(_ text: [UInt8]) -> [[UInt8]] {
        (0..<3).map { shift in
            let bits = 8 * (shift + text.count)
            var letters: [UInt8] = []
            letters.reserveCapacity(bits / 6)
            var start = (8 * shift + 5) / 6 * 6
            while start + 6 <= bits {
                let first = start / 8 - shift
                let pair = UInt16(text[first]) << 8 | (first + 1 < text.count ? UInt16(text[first + 1]) : 0)
                letters.append(alphabet[Int(pair >> UInt16(10 - start % 8) & 63)])
                start += 6
            }
            return letters
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text that a word in base64 stands for; nil if it is no such word.
    private static func decoded(_ word: ArraySlice<UInt8>) -> [UInt8]? {
        let letters = word.map(standardLetter).filter { $0 != UInt8(ascii: "=") }
        guard letters.count >= run, letters.allSatisfy(isLetter) else { return nil }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - letters.count % 4) % 4)
        return Data(base64Encoded: Data(letters + padding)).map { Array($0) }
    }

    /// The letter of the standard alphabet for one of the alphabet for URLs (RFC 4648, section 5).
    private static func standardLetter(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: byte
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> some Sequence<UInt8> {
        line.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

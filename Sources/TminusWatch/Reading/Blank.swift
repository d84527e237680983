/// Detects files without content, without a parser.
enum Blank {
    /// Whether the bytes are only white space and comments (YAML 1.2.2, 6.6).
    static func isBlank(_ bytes: [UInt8]) -> Bool {
        var isComment = false
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): isComment = false
            case UInt8(ascii: " "), UInt8(ascii: "\t"): continue
            case UInt8(ascii: "#"): isComment = true
            default: if !isComment { return false }
            }
        }
        return true
    }
}

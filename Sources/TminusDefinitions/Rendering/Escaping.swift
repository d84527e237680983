import TminusCore

/// Escapes text from files for JSON.
enum Escaping {
    /// `text` as a JSON string, RFC 8259 section 7.
    static func json(_ text: String) -> String { "\"\(JSONWriter.escaped(text))\"" }
}

internal import ArgumentParser
internal import TminusCore

extension AccessLevel {
    /// The levels of tokens and sessions, for help.
    static let names = granted.map(\.rawValue).joined(separator: ", ")

    /// The level of a word on the command line.
    static func given(_ text: String) throws -> AccessLevel {
        guard let level = AccessLevel(rawValue: text), granted.contains(level) else {
            throw ValidationError("expected one of \(names)")
        }
        return level
    }
}

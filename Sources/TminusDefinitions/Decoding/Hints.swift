import TminusCore

/// Suggestions for names from long lists, at most some per file: a hostile file must not buy a million comparisons.
struct Hints {
    private var left = 50
    /// Whether one more search is allowed.
    var isLeft: Bool { left > 0 }

    /// `, did you mean 'x'?` or nothing.
    mutating func phrase(for text: String, in candidates: some Sequence<String>) -> String {
        guard left > 0 else { return "" }
        left -= 1
        return Suggestion.phrase(for: text, in: candidates)
    }
}

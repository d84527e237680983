import TminusCore

/// Suggests names from long lists. The number of searches per file is limited, so that a hostile file cannot cause a
/// million comparisons.
struct Hints {
    private var left = 50
    /// Whether one more search is allowed.
    var isLeft: Bool { left > 0 }

    /// `, did you mean 'x'?`, or an empty text.
    mutating func phrase(for text: String, in candidates: some Sequence<String>) -> String {
        guard left > 0 else { return "" }
        left -= 1
        return Suggestion.phrase(for: text, in: candidates)
    }
}

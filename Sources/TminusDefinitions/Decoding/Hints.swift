import TminusCore

/// Suggests names from long lists. The number of searches per file is limited, so that a hostile file cannot cause a
/// million comparisons.
struct Hints {
    private var left = 50
    /// Whether one more search is allowed; counts it.
    mutating func take() -> Bool {
        guard left > 0 else { return false }
        left -= 1
        return true
    }

    /// `, did you mean 'x'?`, or an empty text.
    mutating func phrase(for text: String, in candidates: some Sequence<String>) -> String {
        guard take() else { return "" }
        return Suggestion.phrase(for: text, in: candidates)
    }
}

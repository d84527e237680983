/// The words of plain dates.
enum PlainDateWords {
    /// `Sunday` to `Saturday`.
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    /// Examples of what to write, for messages.
    static let examples = "write '2026-12-01 09:00', 'tomorrow 9:00', 'fri 15:30', 'dec 24 18:00', 'in 2h' or '+3d'"

    private static let fillers: Set = ["at", "on", "of", "the"]
    private static let otherWords = [
        "today", "tomorrow", "yesterday", "next", "this", "noon", "midnight", "week", "month", "year",
    ]

    /// The words of a text, without commas and filler words.
    static func split(_ text: String) -> [String] {
        text.split { $0 == "," || $0.isWhitespace }.map(String.init).filter { !fillers.contains($0.lowercased()) }
    }

    /// The number of a weekday, 0 for Sunday, by its name or at least three letters of it.
    static func weekday(_ word: String) -> Int? { index(of: word, in: weekdays) }

    /// The number of a month, 1 for January, by its name or at least three letters of it.
    static func month(_ word: String) -> Int? { index(of: word, in: LocalDateTime.monthNames).map { $0 + 1 } }

    private static func index(of word: String, in names: [String]) -> Int? {
        let word = word.hasSuffix(".") ? String(word.dropLast()) : word
        guard word.utf8.count >= 3 else { return nil }
        return names.firstIndex { $0.lowercased().hasPrefix(word) }
    }

    /// `, did you mean 'x'?`, or an empty text.
    static func suggestion(for word: String) -> String {
        let names = otherWords + (weekdays + LocalDateTime.monthNames).map { $0.lowercased() }
        return Suggestion.phrase(for: word, in: names)
    }
}

internal import ArgumentParser
internal import TminusCore

/// Words on the command line that are a duration and a name, in either order: `4m tea`, `tea 1h 30m`.
struct DurationWords {
    /// The duration.
    let duration: String
    /// The name; nil if there is none.
    let title: String?

    /// Splits off the longest run of words at either end that parses as a duration.
    init(_ words: [String]) throws {
        func join(_ words: ArraySlice<String>) -> String { words.joined(separator: " ") }
        for count in stride(from: words.count, to: 0, by: -1) {
            for (candidate, rest) in [
                (words.prefix(count), words.dropFirst(count)), (words.suffix(count), words.dropLast(count)),
            ] {
                guard case .success = CalendarSpan.parseExactDuration(join(candidate)) else { continue }
                (duration, title) = (join(candidate), rest.isEmpty ? nil : join(rest))
                return
            }
        }
        // The first word that begins with a digit was probably meant as the duration: report the parser's error for it.
        let word = words.first { $0.first?.isNumber == true } ?? ""
        if case .failure(let problem) = CalendarSpan.parseExactDuration(word), !word.isEmpty {
            throw ValidationError(problem.message)
        }
        throw ValidationError("the duration is missing; give one, such as 25m, '1h 30m' or 1:30:00")
    }
}

/// One line of a crontab, by the grammar of crontab(5).
enum CrontabLine: Hashable {
    /// A command and its schedule.
    struct Job: Hashable {
        /// Five fields with one space between them, or a macro such as `@daily`.
        var schedule: String
        /// The user of a line of a system crontab.
        var user: String?
        /// The command, without the backslashes of `\%`.
        var command: String
        /// The text after the first `%`, as the command reads it; nil without one.
        var input: String?
    }

    /// A line without text.
    case blank
    /// The text after the `#`.
    case comment(String)
    /// `NAME = value`, without quotes.
    case variable(name: String, value: String)
    /// A job.
    case job(Job)
    /// A line that cron could not read either; the reason in words.
    case invalid(String)

    /// Reads a line without its line feed. The lines of a system crontab have a user before the command.
    init(_ bytes: ArraySlice<UInt8>, hasUser: Bool) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            self = .invalid("it is not UTF-8")
            return
        }
        let scalars = text.unicodeScalars.drop(while: Self.isBlank)
        let line = Array(scalars)
        if line.contains("\0") {
            self = .invalid("it has a NUL")
        } else if line.isEmpty || line == ["\r"] {
            self = .blank
        } else if line[0] == "#" {
            self = .comment(Self.trimmed(line.dropFirst()))
        } else if let variable = Self.variable(line[...]) {
            self = .variable(name: variable.name, value: variable.value)
        } else {
            self = Self.job(line[...], hasUser: hasUser)
        }
    }

    /// Reads `NAME = value`. Either side may be in quotes; without them the value ends before trailing blanks.
    private static func variable(_ line: ArraySlice<Unicode.Scalar>) -> (name: String, value: String)? {
        var rest = line
        var name: String
        if let quoted = takeQuoted(from: &rest) {
            name = quoted
        } else {
            name = text(rest.prefix { !isBlank($0) && $0 != "=" })
            rest = rest.drop { !isBlank($0) && $0 != "=" }
        }
        rest = rest.drop(while: isBlank)
        guard !name.isEmpty, rest.popFirst() == "=" else { return nil }
        rest = rest.drop(while: isBlank)
        guard rest.first == "'" || rest.first == "\"" else { return (name, trimmed(rest)) }
        guard let value = takeQuoted(from: &rest), trimmed(rest).isEmpty else { return nil }
        return (name, value)
    }

    /// Takes a text in quotes; nil if there is none, or it has no end.
    private static func takeQuoted(from rest: inout ArraySlice<Unicode.Scalar>) -> String? {
        guard let quote = rest.first, quote == "'" || quote == "\"",
            let end = rest.dropFirst().firstIndex(of: quote)
        else { return nil }
        let value = text(rest[(rest.startIndex + 1)..<end])
        rest = rest[(end + 1)...]
        return value
    }

    private static func job(_ line: ArraySlice<Unicode.Scalar>, hasUser: Bool) -> CrontabLine {
        var rest = line
        let count = line.first == "@" ? 1 : 5
        var fields: [String] = []
        for _ in 0..<count + (hasUser ? 1 : 0) {
            fields.append(text(rest.prefix { !isBlank($0) }))
            rest = rest.drop { !isBlank($0) }.drop(while: isBlank)
        }
        let user = hasUser ? fields.removeLast() : nil
        let schedule = fields.joined(separator: " ")
        guard !rest.isEmpty else {
            return .invalid(
                count == 1
                    ? "there is no command"
                    : "it is neither a variable nor five fields\(hasUser ? ", a user" : "") and a command")
        }
        guard rest.last != "\r" else {
            return .invalid("it ends with a carriage return, which cron would pass to the command")
        }
        let (command, input) = command(rest)
        guard command.contains(where: { !$0.isWhitespace }) else { return .invalid("the command is empty") }
        return .job(Job(schedule: schedule, user: user, command: command, input: input))
    }

    /// The command up to the first `%`, and the input after it. `\%` is a percent sign; in the input, other percent
    /// signs are line ends.
    private static func command(_ text: ArraySlice<Unicode.Scalar>) -> (command: String, input: String?) {
        var parts = [String.UnicodeScalarView()]
        var isEscaped = false
        for scalar in text {
            if scalar == "%", !isEscaped {
                parts.append(String.UnicodeScalarView())
                continue
            }
            if scalar == "%" { parts[parts.count - 1].removeLast() }
            parts[parts.count - 1].append(scalar)
            isEscaped = scalar == "\\" && !isEscaped
        }
        let input = parts.dropFirst().map { String($0) }.joined(separator: "\n")
        // An empty input is what a command without a percent sign gets, too.
        guard !input.isEmpty else { return (String(parts[0]), nil) }
        return (String(parts[0]), input.hasSuffix("\n") ? input : input + "\n")
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private static func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var rest = scalars.drop { $0.properties.isWhitespace }
        while rest.last?.properties.isWhitespace == true { rest.removeLast() }
        return text(rest)
    }
}

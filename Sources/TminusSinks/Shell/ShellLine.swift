/// Reads the beginning of a command line as a shell does (POSIX.1-2024, XCU 2.3).
enum ShellLine {
    /// The words that the shell handles itself: reserved words and built-in utilities of dash(1) and bash(1).
    private static let own: Set = [
        ".", ":", "[", "[[", "alias", "bg", "break", "builtin", "case", "cd", "chdir", "command", "continue", "declare",
        "do", "done", "echo", "elif", "else", "esac", "eval", "exec", "exit", "export", "false", "fc", "fg", "fi",
        "for",
        "function", "getopts", "hash", "help", "history", "if", "in", "jobs", "kill", "let", "local", "printf", "pwd",
        "read", "readonly", "return", "select", "set", "shift", "source", "test", "then", "time", "times", "trap",
        "true", "type", "typeset", "ulimit", "umask", "unalias", "unset", "until", "wait", "while",
    ]

    /// The program that the line runs first, and its place in the Unicode scalars of the line.
    ///
    /// Returns nil if the text alone does not tell: the shell handles the first word itself, or expands a variable, a
    /// pattern or the like in it.
    static func program(of line: String) -> (name: String, place: Range<Int>)? {
        let scalars = Array(line.unicodeScalars)
        let start = scalars.firstIndex { !isBlank($0) } ?? scalars.count
        var name = String.UnicodeScalarView()
        var place = start
        var quote: Unicode.Scalar?
        reading: while place < scalars.count {
            let scalar = scalars[place]
            switch (scalar, quote) {
            case _ where scalar == quote: quote = nil
            case (_, "'"?): name.append(scalar)
            case ("$", _), ("`", _), ("\\", _): return nil
            case (_, "\""?): name.append(scalar)
            case ("'", nil), ("\"", nil): quote = scalar
            default:
                if isBlank(scalar) || ";|&".unicodeScalars.contains(scalar) { break reading }
                // A redirection may come before the program.
                if "<>*?[]{}~=!#()".unicodeScalars.contains(scalar) { return nil }
                name.append(scalar)
            }
            place += 1
        }
        let text = String(name)
        // A name before parentheses is the definition of a function.
        let isFunction = scalars[place...].first { !isBlank($0) } == "("
        guard quote == nil, !text.isEmpty, !isFunction, !own.contains(text) else { return nil }
        return (text, start..<place)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }
}

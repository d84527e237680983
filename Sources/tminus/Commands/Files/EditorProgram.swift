internal import Glibc
internal import TminusSystem
internal import TminusTooling

/// The user's editor.
struct EditorProgram {
    /// A shell command line, such as `vim` or `code --wait`.
    let command: String

    /// `$VISUAL`, else `$EDITOR`, else `vi`, the order in environ(7) and common practice.
    static var ofUser: EditorProgram {
        let given = ["VISUAL", "EDITOR"].compactMap { (name: String) in getenv(name).map { String(cString: $0) } }
            .first { text in text.contains { !$0.isWhitespace } }
        return EditorProgram(command: given ?? "vi")
    }

    /// Returns the arguments that open a file at a line. For an unknown editor, returns the path alone.
    func arguments(_ path: String, line: Int) -> [String] {
        let words = command.split(whereSeparator: \.isWhitespace)
        let name = words.first?.split(separator: "/").last ?? ""
        switch name {
        case "vi", "vim", "nvim", "view", "gvim", "nano", "pico", "emacs", "emacsclient", "ed", "joe", "jed", "mg",
            "micro",
            "kak", "ne", "vis", "mcedit":
            return name == "ed" ? [path] : ["+\(line)", path]
        case "code", "code-insiders", "codium", "vscodium":
            // Without --wait the command exits as soon as the window is open.
            let waits = words.contains("--wait") || words.contains("-w")
            return (waits ? [] : ["--wait"]) + ["-g", "\(path):\(line)"]
        case "subl", "hx", "helix", "zed": return ["\(path):\(line)"]
        case "kate", "gedit": return name == "kate" ? ["-l", "\(line)", path] : ["+\(line)", path]
        default: return [path]
        }
    }

    /// Runs the editor in this terminal until it exits. Returns its exit status, or 128 plus the signal number.
    func edit(_ path: String, line: Int) throws -> CInt {
        // The variables hold command lines, so a shell runs them. The path is a separate argument, never part of the
        // command line.
        let words = ["/bin/sh", "-c", "\(command) \"$@\"", command] + arguments(path, line: line)
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        // Ctrl-C and Ctrl-\ in the terminal are meant for the editor, so ignore them here until it exits.
        let former = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in former { signal(number, handler) } }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var standard = sigset_t()
        sigemptyset(&standard)
        for number in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&standard, number) }
        posix_spawnattr_setsigdefault(&attributes, &standard)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var child = pid_t()
        let code = posix_spawn(&child, words[0], nil, &attributes, &arguments, environ)
        guard code == 0 else {
            throw EditRefusal(
                ToolError(.inputOutput, "'\(command)' cannot be run: \(ErrorText.of(code))"))
        }
        var status: CInt = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
    }
}

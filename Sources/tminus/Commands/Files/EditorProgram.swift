internal import Glibc
internal import TminusSystem
internal import TminusTooling

/// The editor of the user.
struct EditorProgram {
    /// A command line for a shell, such as `vim` or `code --wait`.
    let command: String

    /// `$VISUAL`, else `$EDITOR`, else `vi`, as environ(7) and other programs have it.
    static var ofUser: EditorProgram {
        let given = ["VISUAL", "EDITOR"].compactMap { (name: String) in getenv(name).map { String(cString: $0) } }
            .first { text in text.contains { !$0.isWhitespace } }
        return EditorProgram(command: given ?? "vi")
    }

    /// The arguments that open a file at a line, for the editors of which that is known; else the path alone.
    func arguments(_ path: String, line: Int) -> [String] {
        let words = command.split(whereSeparator: \.isWhitespace)
        let name = words.first?.split(separator: "/").last ?? ""
        switch name {
        case "vi", "vim", "nvim", "view", "gvim", "nano", "pico", "emacs", "emacsclient", "ed", "joe", "jed", "mg",
            "micro",
            "kak", "ne", "vis", "mcedit":
            return name == "ed" ? [path] : ["+\(line)", path]
        case "code", "code-insiders", "codium", "vscodium":
            // Without it the window opens and the command ends at once.
            let waits = words.contains("--wait") || words.contains("-w")
            return (waits ? [] : ["--wait"]) + ["-g", "\(path):\(line)"]
        case "subl", "hx", "helix", "zed": return ["\(path):\(line)"]
        case "kate", "gedit": return name == "kate" ? ["-l", "\(line)", path] : ["+\(line)", path]
        default: return [path]
        }
    }

    /// Runs the editor in the terminal of this process until it ends: its exit status, or 128 and a signal.
    func edit(_ path: String, line: Int) throws -> CInt {
        // A shell, because the variables hold command lines. The path is an argument, never a part of one.
        let words = ["/bin/sh", "-c", "\(command) \"$@\"", command] + arguments(path, line: line)
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        // An interrupt in the terminal is for the editor.
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

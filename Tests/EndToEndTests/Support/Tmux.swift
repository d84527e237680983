import Foundation
import Glibc

/// A virtual terminal: tmux with one window whose screen can be read.
final class Tmux: Sendable {
    private let directory: Scratch
    private let server: Program
    private var socket: String { "\(directory.path)/tmux" }

    /// Whether tmux is installed; `scripts/setup` installs it.
    static let isInstalled = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/tmux")
    }

    /// Opens a window that runs a command line with sh(1).
    init(columns: Int, rows: Int, _ command: String) async throws {
        directory = try Scratch()
        var environment = Program.environment
        for name in ["NO_COLOR", "COLORTERM", "COLORFGBG", "LC_CTYPE", "TMUX"] { environment[name] = nil }
        environment["LC_ALL"] = "C.UTF-8"
        // The server runs in the foreground, so it ends with this value.
        server = try Program(
            "tmux", ["-S", "\(directory.path)/tmux", "-f", "/dev/null", "-u", "-D"],
            environment: environment)
        // Settings and session go in one command, because a server may read its settings file after creating the
        // session.
        let settings = ["status off", "default-terminal screen", "remain-on-exit on"].flatMap {
            ["set-option", "-g"] + $0.split(separator: " ").map(String.init) + [";"]
        }
        let session = ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", command]
        let deadline = ContinuousClock.now + Waiting.limit
        while true {
            // -N: do not start another server, which would outlive the test.
            let client = try Program("tmux", ["-S", socket, "-N"] + settings + session, environment: environment)
            if try await client.end() == 0 { break }
            guard ContinuousClock.now < deadline else { throw Waiting.Vain(what: "tmux", seen: client.errors.texts) }
            // Poll: the server creates its socket without notification.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Presses keys, named as in tmux(1).
    func press(_ keys: String...) async throws { try await run(["send-keys"] + keys) }

    /// Presses keys, and waits after each for a text that leaves the screen after a few seconds.
    ///
    /// A shell does all of it: among many other tests this process may not get a turn while the text is there.
    func press(_ steps: (key: String, shows: String)...) async throws {
        // Poll: tmux does not report changes of the screen.
        let script = """
            while [ $# -gt 0 ]; do
                tmux -S "$0" send-keys "$1"
                until tmux -S "$0" -u capture-pane -p | grep -qF -- "$2"; do sleep 0.05; done
                shift 2
            done
            """
        let limit = "\(Waiting.limit.components.seconds)"
        let words = steps.flatMap { [$0.key, $0.shows] }
        let shell = try Program("timeout", [limit, "sh", "-c", script, socket] + words)
        guard try await shell.end() == 0 else {
            throw Waiting.Vain(what: words.joined(separator: ", "), seen: try await screen())
        }
    }

    /// Resizes the window.
    func resize(columns: Int, rows: Int) async throws {
        try await run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// The rows of the screen without trailing spaces.
    func screen() async throws -> [String] { try await run(["capture-pane", "-p"]).map(Self.trimmed) }

    /// The rows of the screen with escape sequences.
    func colors() async throws -> [String] { try await run(["capture-pane", "-p", "-e"]) }

    /// Expands a format of tmux(1), such as `#{cursor_flag}`.
    func fact(_ format: String) async throws -> String {
        try await run(["display-message", "-p", format]).first ?? ""
    }

    /// Waits until the screen satisfies `isWanted`.
    @discardableResult
    func screen(_ what: String, until isWanted: ([String]) -> Bool) async throws -> [String] {
        let deadline = ContinuousClock.now + Waiting.limit
        while true {
            let rows = try await screen()
            if isWanted(rows) { return rows }
            guard ContinuousClock.now < deadline else { throw Waiting.Vain(what: what, seen: rows) }
            // Poll: tmux does not report changes of the screen.
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Waits until a row contains a text.
    func row(with text: String) async throws {
        try await screen("'\(text)' on the screen") { rows in rows.contains { $0.contains(text) } }
    }

    @discardableResult
    private func run(_ arguments: [String]) async throws -> [String] {
        let client = try Program("tmux", ["-S", socket, "-u"] + arguments)
        guard try await client.end() == 0 else {
            throw Waiting.Vain(what: arguments.joined(separator: " "), seen: client.errors.texts)
        }
        return client.output.texts
    }

    /// Removes trailing spaces.
    static func trimmed(_ row: String) -> String { String(row.reversed().drop { $0 == " " }.reversed()) }
}

import Foundation
import Glibc
import Testing

/// The live view in a terminal, with fixed items instead of a daemon.
@Suite(.enabled(if: Tmux.isInstalled, "needs tmux; scripts/setup installs it"))
struct WatchScreenTests {
    private static let fixture = URL(fileURLWithPath: Program.tminus).deletingLastPathComponent()
        .appendingPathComponent("watch-fixture").path
    private static let sizes = [(80, 24), (120, 40), (40, 12)]

    private static func golden(_ name: String) throws -> [String] {
        let path = "\(Program.repository)/Tests/TminusTerminalTests/Golden/watch-\(name).txt"
        return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
            .replacing("␛", with: "\u{1B}").split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }

    @Test(arguments: sizes, ["dark", "light"])
    func terminalShowsTheGoldenFrames(size: (Int, Int), background: String) async throws {
        let place = "\(size.0)x\(size.1)-\(background)"
        let tmux = try await Tmux(
            columns: size.0, rows: size.1, "exec \(Self.fixture) --still --background \(background) tea")
        // In turn on the same screen, so each frame is drawn over the previous one.
        for (name, keys) in [("large", []), ("dial", ["f"]), ("rows", ["Escape", "Home"])] {
            for key in keys { try await tmux.press(key) }
            let wanted = ColoredText.pieces(try Self.golden("\(name)-\(place)"))
            let text = wanted.map { String($0.map(\.character)) }
            try await tmux.screen("the frame \(name)-\(place)") { $0 == text }
            #expect(ColoredText.pieces(try await tmux.colors()) == wanted, "\(name)-\(place)")
        }
    }

    @Test func keysControlTheSelectedItem() async throws {
        let tmux = try await Tmux(columns: 80, rows: 24, "exec \(Self.fixture) --still workout")
        try await tmux.row(with: "Workout")
        try await tmux.press("Space")
        try await tmux.row(with: "workout: paused, ")
        try await tmux.row(with: "state    paused")
        try await tmux.press("Space", "l")
        try await tmux.row(with: "#4")
        try await tmux.press("z")
        try await tmux.row(with: "'snooze' does not fit")
        try await tmux.press("?")
        try await tmux.row(with: "this help")
        try await tmux.press("?", "Escape", "End")
        try await tmux.row(with: "> ○ Rent")
        try await tmux.press("Up")
        try await tmux.row(with: "> ○ Workout")
    }

    @Test func elapsedTimeAdvances() async throws {
        let tmux = try await Tmux(columns: 80, rows: 24, "exec \(Self.fixture) tea")
        func elapsed(_ rows: [String]) -> String? { rows.first { $0.contains("elapsed    ") } }
        let first = elapsed(try await tmux.screen("the time") { elapsed($0) != nil })
        try await tmux.screen("another time than \(first ?? "")") { elapsed($0) ?? first != first }
    }

    @Test func resizingRedrawsTheWholeScreen() async throws {
        let tmux = try await Tmux(columns: 80, rows: 24, "exec \(Self.fixture) --still --background dark")
        for size in Self.sizes + [(5, 2), (80, 24)] {
            try await tmux.resize(columns: size.0, rows: size.1)
            guard size.0 > 5 else { continue }
            let wanted = ColoredText.pieces(try Self.golden("rows-\(size.0)x\(size.1)-dark"))
            try await tmux.screen("a frame of \(size)") { $0 == wanted.map { String($0.map(\.character)) } }
        }
    }

    private static let ends = ["q", "C-c", "TERM", "HUP", "INT"]

    @Test(arguments: ends) func terminalStateIsRestored(end: String) async throws {
        let scratch = try Scratch()
        let settings = "stty -g > \(scratch.path)"
        let tmux = try await Tmux(
            columns: 80, rows: 24,
            "trap : INT HUP; echo before; \(settings)/before; \(Self.fixture); \(settings)/after; echo over; exec cat")
        try await tmux.row(with: "Upcoming")
        #expect(try await tmux.fact("#{alternate_on} #{cursor_flag}") == "1 0")
        if ["q", "C-c"].contains(end) {
            try await tmux.press(end)
        } else {
            let shell = try await tmux.fact("#{pane_pid}")
            let children = try Program("pgrep", ["-P", shell])
            try await children.end()
            let id = try #require(children.output.texts.first.flatMap { pid_t($0) })
            kill(id, ["TERM": SIGTERM, "HUP": SIGHUP, "INT": SIGINT][end] ?? SIGTERM)
        }
        let rows = try await tmux.screen("the shell") { $0.contains("over") }
        let name = ["q": "quit", "TERM": "signal(15)", "HUP": "signal(1)"][end] ?? "signal(2)"
        #expect(rows.first == "before" && rows.contains("ended: \(name)"), "\(rows)")
        #expect(try await tmux.fact("#{alternate_on} #{cursor_flag}") == "0 1")
        let files = try ["before", "after"].map { try String(contentsOfFile: "\(scratch.path)/\($0)", encoding: .utf8) }
        #expect(files[0] == files[1] && !files[0].isEmpty)
    }

    @Test func suspendingReleasesTheTerminal() async throws {
        let tmux = try await Tmux(columns: 80, rows: 24, "env PS1='> ' bash --norc --noprofile -i")
        try await tmux.press("\(Self.fixture) --still", "Enter")
        try await tmux.row(with: "Upcoming")
        try await tmux.press("C-z")
        try await tmux.row(with: "Stopped")
        #expect(try await tmux.fact("#{alternate_on} #{cursor_flag}") == "0 1")
        try await tmux.press("fg", "Enter")
        try await tmux.row(with: "Upcoming")
        #expect(try await tmux.fact("#{alternate_on} #{cursor_flag}") == "1 0")
        try await tmux.press("q")
        try await tmux.row(with: "ended: quit")
    }
}

import Glibc
import TminusTestKit
import WatchTestSupport

/// The workplace of one row: scripts with the functions of `Tools/prelude.sh`.
struct Place: Sendable {
    private let workplace: Workplace
    private static let tools = #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" } + "/Tools"

    /// The program under test: it is built beside the tests.
    private static let tminus: String = {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let beside = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: "/").dropLast()
        let path = beside.reduce("") { "\($0)/\($1)" } + "/tminus"
        let package = tools.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        return access(path, X_OK) == 0 ? path : package + "/.build/debug/tminus"
    }()

    init() throws {
        workplace = try Workplace()
    }

    /// The absolute path.
    var path: String { workplace.path }

    /// Runs a script.
    func run(_ script: String, within limit: Duration = Bounded.limit) async throws {
        let text = ". \"$TOOLS/prelude.sh\"\n" + script
        try await workplace.run(
            "exec >> \"$PLACE/.output\" 2>&1 < /dev/null\n" + text,
            environment: ["TOOLS": Self.tools, "TMINUS": Self.tminus], within: limit)
    }

    /// Ends an editor that is still open: its terminal is a session of its own.
    func close() async {
        _ = await succeeds("[ ! -e .terminal ] || terminal kill-server")
    }

    /// Whether a command succeeds.
    func succeeds(_ command: String) async -> Bool {
        do {
            try await run(command)
            return true
        } catch {
            return false
        }
    }

    /// What the scripts said last.
    var output: String {
        let lines = (read(".output") ?? "").split(separator: "\n")
        return lines.suffix(6).joined(separator: " | ")
    }

    /// The text of a file; nil if it cannot be read.
    func read(_ name: String) -> String? {
        guard let file = fopen("\(path)/\(name)", "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes a file in place.
    func write(_ text: String, to name: String) throws {
        guard let file = fopen("\(path)/\(name)", "w") else {
            throw ScriptFailure(text: "\(name) cannot be opened: errno \(errno)")
        }
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten else { throw ScriptFailure(text: "\(name): errno \(errno)") }
    }

    /// Renames a file or a directory.
    func move(_ name: String, to other: String) throws {
        guard rename("\(path)/\(name)", "\(path)/\(other)") == 0 else {
            throw ScriptFailure(text: "\(name) cannot be renamed to \(other): errno \(errno)")
        }
    }

    /// Puts a file in place by a rename.
    func put(_ text: String, at name: String, by temporary: String) throws {
        guard let file = fopen("\(path)/\(temporary)", "w") else {
            throw ScriptFailure(text: "\(temporary) cannot be made: errno \(errno)")
        }
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten, rename("\(path)/\(temporary)", "\(path)/\(name)") == 0 else {
            throw ScriptFailure(text: "\(name) cannot be made: errno \(errno)")
        }
    }
}

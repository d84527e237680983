internal import Logging
internal import Synchronization
internal import TminusSystem
internal import TminusTooling

/// The tokens in force. A request with a token checks whether the file has changed, and reads it again if so. No timer does, so an idle
/// daemon stays asleep.
final class TokenDesk: Sendable {
    private struct State {
        var list = TokenList()
        var seen: Seen?
    }

    /// What tells two states of the file apart.
    private struct Seen: Equatable {
        var stamp: FileBytes.Stamp?
        var access: FileAccess?
    }

    private let file: TokenFile?
    private let allowsInsecurePermissions: Bool
    private let logger: Logger
    private let state = Mutex(State())

    /// No tokens.
    init() {
        (file, allowsInsecurePermissions, logger) = (nil, false, Logger(label: "tminus"))
    }

    /// The tokens of a file, which may be missing.
    ///
    /// - Throws: ``DaemonError`` if the file is there and cannot be used, or a line of it is wrong.
    init(_ path: String, allowsInsecurePermissions: Bool, logger: Logger) throws {
        let file = TokenFile(path)
        self.file = file
        self.allowsInsecurePermissions = allowsInsecurePermissions
        self.logger = logger
        guard file.exists else { return }
        do throws(ToolError) {
            let list = try file.read(allowsInsecurePermissions: allowsInsecurePermissions)
            if let problem = list.problems.first { throw ToolError(.badData, "\(path): \(problem)") }
        } catch {
            throw DaemonError(error)
        }
    }

    /// The tokens as their file has them now. Without a usable file there are none.
    var current: TokenList {
        guard let file else { return TokenList() }
        return state.withLock { state in
            let now = Seen(stamp: try? FileBytes.Stamp(of: file.path), access: FileAccess(at: file.path))
            if now != state.seen {
                state.seen = now
                read(file, into: &state)
            }
            return state.list
        }
    }

    /// A line that is wrong gives nobody access; the others hold.
    private func read(_ file: TokenFile, into state: inout State) {
        do throws(ToolError) {
            state.list = file.exists ? try file.read(allowsInsecurePermissions: allowsInsecurePermissions) : TokenList()
            for problem in state.list.problems {
                logger.error("a line of the token file is ignored", metadata: ["reason": "\(file.path): \(problem)"])
            }
            logger.info("tokens in force", metadata: ["tokens": "\(state.list.tokens.count)", "file": "\(file.path)"])
        } catch {
            state.list = TokenList()
            logger.error("no token is valid", metadata: ["reason": "\(error)"])
        }
    }
}

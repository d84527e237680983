internal import TminusCore
internal import TminusSystem

/// The file with the tokens. Only its owner may read it, though it has no secret.
package struct TokenFile: Sendable {
    /// The path.
    package let path: String

    /// The name of the file in the state directory, if no other one is given.
    package static let standardName = "tokens"

    /// The largest file that is read, in bytes.
    private static let sizeLimit = 1 << 20

    /// The file at a path.
    package init(_ path: String) { self.path = path }

    /// Whether there is such a file.
    package var exists: Bool { FilePlacing.isTaken(path) }

    /// Reads the tokens.
    ///
    /// - Throws: If the file cannot be read, or if users other than its owner may read or write it.
    package func read(allowsInsecurePermissions: Bool = false) throws(ToolError) -> TokenList {
        if !allowsInsecurePermissions { try refuseIfOpen() }
        do throws(FileBytes.Problem) {
            return TokenList(try FileBytes.content(of: path, limit: Self.sizeLimit))
        } catch {
            throw ToolError(.inputOutput, "\(path): the tokens cannot be read: \(error.text)")
        }
    }

    private func refuseIfOpen() throws(ToolError) {
        guard let access = FileAccess(at: path) else { return }
        guard access.mode & 0o077 == 0 else {
            throw ToolError(
                .permission,
                "\(path): other users can read or write the tokens; run 'chmod 600 \(ShellWord.quoted(path))'")
        }
        guard access.owner == 0 || access.owner == UserName.ownID || UserName.ownID == 0 else {
            throw ToolError(
                .permission,
                "\(path): the file belongs to \(UserName.of(access.owner)); "
                    + "run 'chown \(UserName.ownID) \(ShellWord.quoted(path))'")
        }
    }

    /// Adds a token. The file is made if it is missing, for the user to whom its directory belongs.
    package func add(_ token: AccessToken) throws(ToolError) {
        guard exists else {
            do throws(SystemError) {
                try FileReplacement.create(path, shownAs: path, TokenList().adding(token), mode: 0o600)
            } catch {
                throw ToolError(error)
            }
            return NewFile.takeOwner(of: ParentDirectory.of(path), for: path)
        }
        try change { list throws(ToolError) in
            guard list[token.name] == nil else {
                throw ToolError(
                    .badData, "there is a token '\(token.name)' already; remove it first, or give another name")
            }
            return list.adding(token)
        }
    }

    /// Removes the token with a name.
    package func remove(_ name: String) throws(ToolError) {
        guard exists else { throw ToolError(.badData, "there is no token: \(path) is missing") }
        try change { list throws(ToolError) in
            guard let token = list[name] else {
                let near = Suggestion.near(to: name, in: list.tokens.map(\.name), limit: 1).first
                let hint = near.map { ", did you mean '\($0)'?" } ?? "; 'tminus token list' shows all"
                throw ToolError(.badData, "there is no token '\(name)'\(hint)")
            }
            return list.removing(token)
        }
    }

    /// Replaces the content, unless another program changes it at the same time.
    private func change(_ new: (TokenList) throws(ToolError) -> [UInt8]) throws(ToolError) {
        let file: FileReplacement
        do throws(SystemError) {
            file = try FileReplacement(reading: path, shownAs: path, limit: Self.sizeLimit)
        } catch {
            throw ToolError(error)
        }
        let content = try new(TokenList(file.bytes))
        do throws(SystemError) { try file.replace(with: content) } catch { throw ToolError(error) }
    }
}

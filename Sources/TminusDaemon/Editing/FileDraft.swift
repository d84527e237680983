internal import TminusControl
internal import TminusCore
internal import TminusTooling

/// A text for a file, held against the condition of the request and checked with the whole directory.
struct FileDraft: Sendable {
    /// The path of the file.
    let path: String
    /// Whether the file would be made.
    let isNew: Bool
    /// The entity tag of the present text; nil if there is none.
    let presentTag: String?
    /// What the text has and would change.
    let check: EditSession.Check
    private let text: [UInt8]
    private let session: EditSession

    /// Checks a text.
    ///
    /// - Throws: ``Problem`` if the file is not as the client believes, or the path cannot be one of a definition file.
    init(_ path: String, _ text: [UInt8], _ condition: WriteCondition, _ files: ConfigFiles) throws {
        let isThere = files.has(path)
        switch condition {
        case .absent where isThere:
            throw Problem.changed(path, to: try EditSession(files, id: nil, file: path).bytes)
        case .matches where !isThere: throw Problem.noFile(path, files)
        case .matches, .absent, .unknown: break
        }
        if isThere {
            session = try EditSession(files, id: nil, file: path)
            presentTag = FileDesk.tag(session.bytes)
        } else {
            if let objection = files.objection(toNew: path) { throw Problem(.notFound, objection) }
            session = EditSession(files, new: path)
            presentTag = nil
        }
        if case .matches(let tags) = condition, let presentTag, !tags.contains(presentTag) {
            throw Problem.changed(path, to: session.bytes)
        }
        (self.path, self.text) = (path, text)
        isNew = !isThere
        check = session.check(text)
    }

    /// Puts the text into the file.
    ///
    /// - Returns: Whether it was done; false if another has changed the file since, and nothing was overwritten.
    func write() throws -> Bool {
        do throws(EditRefusal) {
            try session.commit(text)
            return true
        } catch {
            guard error.isRace else { throw Problem(error) }
            return false
        }
    }

    /// The entity tag of the text.
    var tag: String { FileDesk.tag(text) }
}

extension Problem {
    /// The problem of a path that is not in the list of files.
    static func noFile(_ path: String, _ files: ConfigFiles) -> Problem {
        // It may be there all the same.
        if let gap = files.gap { return Problem(.unavailable, "'\(path)' was not found: \(gap)") }
        return Problem(.notFound, "there is no definition file '\(path)'; GET /files lists all")
    }
}

package import TminusCore

/// Merges the definition files of a machine that begins to lead with those in force: a three-way merge of whole files, whose base is what
/// this machine had when it last had all that was in force.
///
/// A file that is behind is replaced by its content in force, so that a clone that was not brought up to date reverts nothing. All files are
/// compared until none is behind: one of a clone on its way can have the content in force by chance. From then on, and from its first edit, a
/// file is the leader's own, and each change is an edit. A file that cannot be read, or has an error, does not say what it is: it is compared
/// until it does.
package struct FleetFiles: Sendable {
    /// How a file compares with what is in force.
    enum Verdict: Equatable {
        /// It is the content in force.
        case inForce
        /// It is older than what is in force. Nil is a file that is not there.
        case behind
        /// It was edited or removed here. If it overwrites, it was edited elsewhere too.
        case edited(overwrites: Bool)
    }

    /// How many files are named in warnings.
    private static let shownWarnings = 20

    /// What this machine had, and what came after it.
    private var published: PublishedFiles
    /// The contents in force of files that may be compared, by path.
    private var inForce: [String: KeptFile]
    /// The files to compare; nil while they are all, except those that were edited.
    private var compared: Set<String>?
    private var edited: Set<String> = []
    /// What the last merge found to be edited.
    private var editedNow: Set<String> = []
    /// The files that were here at an earlier merge.
    private var seen: Set<String> = []
    /// Whether the machine has all that is in force.
    package var isWhole: Bool { compared?.allSatisfy { inForce[$0] == nil } ?? false }

    /// Compares the files with those in force.
    package init(_ published: PublishedFiles) {
        self.published = published
        self.published.kept = KeptFiles()
        inForce = Dictionary(published.kept.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Compares one file.
    ///
    /// - Parameters:
    ///   - here: The digest of its content on this machine; nil if it is not there.
    ///   - inForce: That of the content in force.
    ///   - wasHere: Whether it was here at an earlier merge.
    private static func verdict(
        _ path: String, here: String?, inForce: String?, wasHere: Bool, _ published: PublishedFiles
    ) -> Verdict {
        if here == inForce { return .inForce }
        // What came into force after the base, and no longer is, is on its way to what is in force.
        let isOnItsWay = here.map { published.replaced[path]?.contains($0) == true } ?? published.removed.contains(path)
        if isOnItsWay { return .behind }
        // A machine that never had the files may not have copied all yet.
        guard let base = published.base else {
            return here == nil && !wasHere ? .behind : .edited(overwrites: false)
        }
        return base[path] == here ? .behind : .edited(overwrites: base[path] != inForce)
    }

    /// Puts what is in force in the place of files that are behind. Returns a warning of the directory for each file to tell of.
    mutating func merge(into contents: inout DirectoryContents) -> [Diagnostic] {
        let isListed = !contents.problems.contains { $0.severity == .error }
        // Else it says nothing of any file.
        guard compared?.isEmpty != true, isListed || !contents.files.isEmpty else { return [] }
        let here = Dictionary(contents.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        var warnings: [String] = []
        var (behind, unread): (Set<String>, Set<String>) = ([], [])
        editedNow = []
        for path in compared ?? Set(here.keys).union(inForce.keys).subtracting(edited) {
            let (file, content) = (here[path], inForce[path])
            if case .unreadable? = file?.content {
                unread.insert(path)
                continue
            }
            // If the directory could not be listed whole, nobody knows whether it is there.
            if file == nil, !isListed {
                behind.insert(path)
                continue
            }
            let verdict = Self.verdict(
                path, here: file?.digest, inForce: content?.digest, wasHere: seen.contains(path), published)
            switch verdict {
            case .inForce: break
            case .behind: behind.insert(path)
            case .edited: editedNow.insert(path)
            }
            if let words = words(verdict, isHere: file != nil, isInForce: content != nil) {
                warnings.append("'\(path)' \(words)")
            }
        }
        seen.formUnion(here.keys)
        if compared != nil || behind.isEmpty { compared = behind.union(unread) }
        contents.files.removeAll { behind.contains($0.path) }
        contents.files += behind.compactMap { inForce[$0] }.map(SourceFile.init)
        contents.files.sort { $0.path < $1.path }
        return Self.bounded(warnings.sorted()).map { Diagnostic(.warning, $0, at: SourceLocation(file: contents.root)) }
    }

    /// From now on, what the last merge found to be edited is the leader's own, unless it has an error.
    mutating func settle(hasError: (String) -> Bool) {
        for path in editedNow {
            if hasError(path) { compared?.insert(path) } else { edited.insert(path) }
        }
        editedNow = []
        guard let compared else { return }
        // The content of all files is a lot of memory.
        inForce = inForce.filter { compared.contains($0.key) }
        if compared.isEmpty { (published, seen) = (PublishedFiles(), []) }
    }

    /// A machine may have none of thousands of files.
    private static func bounded(_ warnings: [String]) -> [String] {
        let more = warnings.count - shownWarnings
        guard more > 0 else { return warnings }
        return warnings.prefix(shownWarnings) + ["and \(more) more \(more == 1 ? "file differs" : "files differ")"]
    }

    /// What to tell of a file, without a full stop; nil if nothing is.
    private func words(_ verdict: Verdict, isHere: Bool, isInForce: Bool) -> String? {
        switch verdict {
        case .inForce, .edited(overwrites: false): nil
        case .edited(overwrites: true):
            "was changed on this machine and on another one: what is on this machine counts"
        case .behind where !isHere:
            "is not on this machine: its definitions stay in force; copy it, or run with --own-files"
        case .behind where !isInForce:
            "was removed on another machine: it stays removed until it is changed on this one"
        case .behind:
            "is older on this machine than what is in force, which stays until the file is changed here"
        }
    }
}

extension SourceFile {
    /// A file with its content in force. Reuses its digest instead of computing it again.
    init(_ kept: KeptFile) {
        self.init(path: kept.path, content: .unreadable(reason: ""))
        content = .bytes(kept.content)
        digest = kept.digest
    }
}

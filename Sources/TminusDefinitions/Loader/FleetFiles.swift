package import TminusCore

/// Merges the definition files of a machine that begins to lead with those in force: a three-way merge of whole files. The base of a file is
/// what this machine had when it last had the content in force.
///
/// A file that is behind is replaced by its content in force, so that a clone that was not brought up to date reverts nothing. A file is the
/// leader's own, so that each change is an edit, once it was edited here or has the content in force. If that content was in force before, a
/// clone on its way can have it by chance: such a file is compared until no file is behind. A file that cannot be read, or has an error, does
/// not say what it is: it is compared until it does.
package struct FleetFiles: Sendable {
    /// How a file compares with what is in force.
    enum Verdict: Equatable {
        /// It is the content in force.
        case inForce
        /// It is older than what is in force. Nil is a file that is not there.
        case behind
        /// It was edited or removed here. If it overwrites, this machine never had what is in force.
        case edited(overwrites: Bool)
    }

    /// How many files are named in warnings.
    private static let shownWarnings = 20

    /// What this machine had, and what came after it.
    private var published: PublishedFiles
    /// The contents in force of files that may be compared, by path.
    private var inForce: [String: KeptFile]
    /// The files to compare; nil while they are all, except the leader's own.
    private var compared: Set<String>?
    private var own: Set<String> = []
    /// What the last merge found to be the leader's own.
    private var ownNow: Set<String> = []
    /// Whether the machine has all that is in force.
    package var isWhole: Bool { compared?.allSatisfy { inForce[$0] == nil } ?? false }

    /// Compares the files with those in force.
    package init(_ published: PublishedFiles) {
        self.published = published
        self.published.kept = KeptFiles()
        inForce = Dictionary(published.kept.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Compares one file: the digest of its content on this machine with that of the content in force. Nil is a file that is not there.
    private static func verdict(
        _ path: String, here: String?, inForce: String?, _ published: PublishedFiles
    ) -> Verdict {
        if here == inForce { return .inForce }
        // What came into force after the base, and no longer is, is on its way to what is in force.
        if published.replaced[path]?.contains(here) == true { return .behind }
        let base = published.base[path]
        return base == here ? .behind : .edited(overwrites: base != inForce)
    }

    /// Puts what is in force in the place of files that are behind. Returns a warning of the directory for each file to tell of.
    mutating func merge(into contents: inout DirectoryContents) -> [Diagnostic] {
        let isListed = !contents.problems.contains { $0.severity == .error }
        // Else it says nothing of any file.
        guard compared?.isEmpty != true, isListed || !contents.files.isEmpty else { return [] }
        let here = Dictionary(contents.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        var warnings: [String] = []
        var (behind, unread): (Set<String>, Set<String>) = ([], [])
        ownNow = []
        for path in compared ?? Set(here.keys).union(inForce.keys).subtracting(own) {
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
            let verdict = Self.verdict(path, here: file?.digest, inForce: content?.digest, published)
            switch verdict {
            case .inForce: if !published.returned.contains(path) { ownNow.insert(path) }
            case .behind: behind.insert(path)
            case .edited: ownNow.insert(path)
            }
            if let words = words(verdict, isHere: file != nil, isInForce: content != nil) {
                warnings.append("'\(path)' \(words)")
            }
        }
        if compared != nil || behind.isEmpty { compared = behind.union(unread) }
        contents.files.removeAll { behind.contains($0.path) }
        contents.files += behind.compactMap { inForce[$0] }.map(SourceFile.init)
        contents.files.sort { $0.path < $1.path }
        return Self.bounded(warnings.sorted()).map { Diagnostic(.warning, $0, at: SourceLocation(file: contents.root)) }
    }

    /// From now on, what the last merge found to be the leader's own is that, unless it has an error. Returns the paths.
    mutating func settle(hasError: (String) -> Bool) -> [String] {
        let arrived = ownNow.filter { !hasError($0) }
        compared?.formUnion(ownNow.subtracting(arrived))
        own.formUnion(arrived)
        ownNow = []
        guard let compared else { return arrived.sorted() }
        // The content of all files is a lot of memory.
        inForce = inForce.filter { compared.contains($0.key) }
        if compared.isEmpty { (published, own) = (PublishedFiles(), []) }
        return arrived.sorted()
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
            "differs from what was in force, which this machine never had: what is on this machine counts"
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

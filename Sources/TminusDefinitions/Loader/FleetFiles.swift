package import TminusCore

/// Merges the definition files of a machine that begins to lead with those that the fleet has in force: a three-way merge of whole files,
/// whose base is what this machine had while it had all that was in force.
///
/// A file that is behind is replaced by its content in force, so that a clone that was not brought up to date reverts nothing. Files are
/// compared until the machine has all that is in force: a file of a clone that is behind can have that content by chance. From then on, and
/// from its first edit, a file is the leader's own, and each change is an edit.
package struct FleetFiles: Sendable {
    /// How a file compares with what is in force.
    enum Verdict: Equatable {
        /// It is the content in force.
        case inForce
        /// It is older than what is in force. Nil is a file that is not there.
        case behind
        /// It was edited or removed here; after somebody published other content, if it overwrites.
        case edited(overwrites: Bool)
    }

    /// How many files are named in warnings.
    private static let shownWarnings = 20

    /// What this machine had, and what came after it; empty when it has all that is in force, as all of the following.
    private var published: PublishedFiles
    /// The contents in force, by path.
    private var inForce: [String: KeptFile]
    /// The files that were edited here.
    private var edited: Set<String> = []
    /// Whether the machine has all that is in force.
    package private(set) var isWhole = false

    /// Compares the files with those in force.
    package init(_ published: PublishedFiles) {
        self.published = published
        inForce = Dictionary(published.kept.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Compares one file.
    ///
    /// - Parameters:
    ///   - here: The digest of its content on this machine; nil if it is not there.
    ///   - inForce: That of the content in force.
    static func verdict(_ path: String, here: String?, inForce: String?, _ published: PublishedFiles) -> Verdict {
        if here == inForce { return .inForce }
        // What came into force after the base, and no longer is, is on its way to what is in force.
        let isOnItsWay = here.map { published.replaced[path]?.contains($0) == true } ?? published.removed.contains(path)
        if isOnItsWay { return .behind }
        // A machine that never had the files may not have copied all yet.
        guard let base = published.base else { return here == nil ? .behind : .edited(overwrites: false) }
        return base[path] == here ? .behind : .edited(overwrites: base[path] != inForce)
    }

    /// Puts what is in force in the place of files that are behind. Returns a warning of the directory for each file to tell of.
    mutating func merge(into contents: inout DirectoryContents) -> [Diagnostic] {
        let isListed = !contents.problems.contains { $0.severity == .error }
        // Else it says nothing of any file.
        guard !isWhole, isListed || !contents.files.isEmpty else { return [] }
        let here = Dictionary(contents.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        var warnings: [String] = []
        var behind: Set<String> = []
        var isUnknown = false
        for path in Set(here.keys).union(inForce.keys).subtracting(edited) {
            let (file, content) = (here[path], inForce[path])
            // It is compared when it can be read.
            if case .unreadable? = file?.content {
                isUnknown = true
                continue
            }
            // If the directory could not be listed whole, nobody knows whether it is there.
            if file == nil, !isListed {
                behind.insert(path)
                continue
            }
            let verdict = Self.verdict(path, here: file?.digest, inForce: content?.digest, published)
            switch verdict {
            case .inForce: break
            case .behind: behind.insert(path)
            case .edited: edited.insert(path)
            }
            if let words = words(verdict, isHere: file != nil, isInForce: content != nil) {
                warnings.append("'\(path)' \(words)")
            }
        }
        isWhole = behind.isEmpty && !isUnknown
        if isWhole { (published, inForce, edited) = (PublishedFiles(), [:], []) }
        contents.files.removeAll { behind.contains($0.path) }
        contents.files += behind.compactMap { inForce[$0] }.map(SourceFile.init)
        contents.files.sort { $0.path < $1.path }
        return Self.bounded(warnings.sorted()).map { Diagnostic(.warning, $0, at: SourceLocation(file: contents.root)) }
    }

    /// A machine may have none of thousands of files.
    private static func bounded(_ warnings: [String]) -> [String] {
        let more = warnings.count - shownWarnings
        guard more > 0 else { return warnings }
        return warnings.prefix(shownWarnings) + ["so it is with \(more) more \(more == 1 ? "file" : "files")"]
    }

    /// What to tell of a file, without a full stop; nil if nothing is.
    private func words(_ verdict: Verdict, isHere: Bool, isInForce: Bool) -> String? {
        switch verdict {
        case .inForce, .edited(overwrites: false): nil
        case .edited(overwrites: true):
            "was edited on this machine, and before that on another one: what is on this machine is in force now"
        case .behind where !isHere:
            "is not on this machine: its definitions stay in force; copy it, or make and remove it here"
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

package import TminusCore

/// Files of a machine that are behind what the machines of a fleet have in force, when it begins to lead: a clone that was not brought up
/// to date, or a file that was not copied yet. What is in force stays so until the file changes here.
package struct StaleFiles: Sendable {
    /// A file that is behind.
    private struct Behind {
        /// Identifies its content here; nil if it is not here.
        var digest: String?
        /// What is in force; nil if it was removed.
        let inForce: KeptFile?

        /// What to tell the user, in one sentence without a full stop.
        var words: String {
            let what =
                if inForce == nil {
                    "it was removed on another machine, and counts as removed until it changes here"
                } else if digest == nil {
                    "it is not on this machine; its definitions stay in force"
                } else {
                    "it is older than what is in force, which stays until the file changes here"
                }
            return "\(what); 'tminus reload' takes what is on this machine"
        }
    }

    /// What was in force before, until a state of the directory was compared with it.
    private var former: KeptFiles?
    private let replaced: [String: Set<String>]
    private var behind: [String: Behind] = [:]

    /// No file is behind.
    package init() { replaced = [:] }

    /// Compares the next state of the directory.
    ///
    /// - Parameters:
    ///   - former: The contents that were in force last.
    ///   - replaced: The digests of the contents that other ones have replaced, or that were removed, by path.
    package init(former: KeptFiles, replaced: [String: Set<String>]) {
        self.former = former
        self.replaced = replaced
    }

    /// Whether a file is behind.
    package var isAny: Bool { !behind.isEmpty }

    /// Puts what is in force in the place of what is behind. Returns what to tell of each file, by its path.
    mutating func replace(in contents: inout DirectoryContents) -> [(path: String, words: String)] {
        let isWhole = !contents.problems.contains { $0.severity == .error }
        if let former, isWhole || !contents.files.isEmpty {
            compare(contents, with: former, isWhole: isWhole)
            self.former = nil
        }
        guard !behind.isEmpty else { return [] }
        let present = Dictionary(contents.files.map { ($0.path, $0.digest) }, uniquingKeysWith: { first, _ in first })
        for (path, file) in behind where file.digest != present[path] {
            // One that arrives may be an older one.
            let isOlder = present[path].map { replaced[path]?.contains($0) == true } ?? false
            if file.digest == nil, isOlder { behind[path]?.digest = present[path] } else { behind[path] = nil }
        }
        contents.files.removeAll { behind[$0.path] != nil }
        contents.files += behind.values.compactMap { $0.inForce.map(SourceFile.init) }
        contents.files.sort { $0.path < $1.path }
        return behind.map { ($0.key, $0.value.words) }.sorted { $0.path < $1.path }
    }

    private mutating func compare(_ contents: DirectoryContents, with former: KeptFiles, isWhole: Bool) {
        let inForce = Dictionary(former.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        for file in contents.files {
            guard replaced[file.path]?.contains(file.digest) == true, inForce[file.path]?.digest != file.digest else {
                continue
            }
            behind[file.path] = Behind(digest: file.digest, inForce: inForce[file.path])
        }
        // Else it is unknown what is there.
        guard isWhole else { return }
        let present = Set(contents.files.map(\.path))
        for file in former.files where !present.contains(file.path) {
            behind[file.path] = Behind(digest: nil, inForce: file)
        }
    }
}

extension SourceFile {
    /// A file with kept content. Reuses its digest instead of computing it again.
    init(_ kept: KeptFile) {
        self.init(path: kept.path, content: .unreadable(reason: ""))
        content = .bytes(kept.content)
        digest = kept.digest
    }
}

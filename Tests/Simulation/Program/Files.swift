import SimulationChecker
import TminusCore
import TminusDefinitions

/// The config directory.
struct Files {
    static let root = "/etc/tminus"

    private let sinkFile: String
    /// What the files say, whole.
    private(set) var drafts: [String: Draft] = [:]
    /// The ids that were in a file at some time.
    private(set) var known: Set<String> = []
    /// The definitions whose files are broken.
    var broken: Set<String> = []
    private var number = 0

    init(sinkFile: String) { self.sinkFile = sinkFile }

    mutating func write(_ id: String, _ draft: Draft?) {
        drafts[id] = draft
        broken.remove(id)
        known.insert(id)
    }

    /// The content as the program reads it.
    mutating func contents() -> DirectoryContents {
        number += 1
        var files = [SourceFile(path: "tminus.yaml", content: .bytes(Array(sinkFile.utf8)))]
        for (id, draft) in drafts.sorted(by: { $0.key < $1.key }) {
            let text = broken.contains(id) ? String(draft.text.dropLast(12)) + "\n  unfinished: [" : draft.text
            files.append(SourceFile(path: "\(id).yaml", content: .bytes(Array(text.utf8))))
        }
        files.sort { $0.path < $1.path }
        return DirectoryContents(root: Self.root, number: number, files: files)
    }
}

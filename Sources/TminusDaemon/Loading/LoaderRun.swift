internal import TminusCore
internal import TminusDefinitions

/// What a loader keeps from one state of the directory to the next.
struct LoaderRun: Sendable {
    /// What is new with a state of the directory.
    struct Change: Sendable {
        /// Definitions for the scheduler, if they are others than before.
        var set: DefinitionSet?
        /// Problems that were not there before.
        var news: [Diagnostic]
        /// How many errors there are, old and new.
        var errors: Int
        /// Whether there were errors and there are none now.
        var isInOrderAgain: Bool
        /// Whether the directory could not be read now and never before.
        var isWaiting: Bool
    }

    var loader: DefinitionLoader
    private(set) var root = ""
    private var diagnostics: [Diagnostic] = []
    private var set: DefinitionSet?
    private var isWaiting = false

    /// A run that has seen nothing yet.
    init(loader: DefinitionLoader) {
        self.loader = loader
    }

    /// Takes a state of the directory.
    mutating func load(_ contents: DirectoryContents, now: Timestamp) -> Change {
        root = contents.root
        let result = loader.load(contents, now: now)
        let known = Set(diagnostics)
        let errors = result.diagnostics.filter { $0.severity == .error }.count
        var change = Change(
            news: result.diagnostics.filter { !known.contains($0) }, errors: errors,
            isInOrderAgain: errors == 0 && diagnostics.contains { $0.severity == .error }, isWaiting: false)
        diagnostics = result.diagnostics
        // Before the first definitions a directory that cannot be read says nothing, least of all that everything was
        // removed from it: an empty set would end all that is stored.
        if set == nil, contents.files.isEmpty, contents.problems.contains(where: { $0.severity == .error }) {
            change.isWaiting = !isWaiting
            isWaiting = true
            return change
        }
        if result.set != set { change.set = result.set }
        set = result.set
        return change
    }
}

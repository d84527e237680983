internal import TminusCore
internal import TminusDefinitions

/// Which things that sinks need are there, as far as it is known.
struct NeedReview: Sendable {
    private var files: [FileNeeds] = []
    /// The results of looking, for the things that the files need; nil for what is there.
    private var known: [SinkNeed.Thing: String?] = [:]
    /// The warnings by the path of the file.
    private(set) var missing: [String: [Diagnostic]] = [:]

    /// The things that nobody has looked for yet.
    private(set) var open: Set<SinkNeed.Thing> = []
    /// The problems of the things that are not there.
    var problems: [SinkNeed.Thing: String] { known.compactMapValues(\.self) }

    /// Takes the needs of all files. What new files need is looked for again, even if it was there before.
    mutating func take(_ needs: [FileNeeds]) {
        // Most loads change none of them.
        let isSame =
            needs.count == files.count && zip(needs, files).allSatisfy { $0.digest == $1.digest && $0.path == $1.path }
        guard !isSame else { return }
        let former = Dictionary(files.map { ($0.path, $0.digest) }, uniquingKeysWith: { first, _ in first })
        let new = needs.filter { former[$0.path] != $0.digest }
        files = needs
        let needed = Set(needs.flatMap { $0.needs.map(\.thing) })
        known = known.filter { needed.contains($0.key) }
        open.formIntersection(needed)
        open.formUnion(new.flatMap { $0.needs.map(\.thing) })
        compose()
    }

    /// Notes the results of looking for these things. Returns the new warnings.
    mutating func inspected(_ things: Set<SinkNeed.Thing>, _ problems: [SinkNeed.Thing: String]) -> [Diagnostic] {
        open.subtract(things)
        for thing in things { known[thing] = .some(problems[thing]) }
        let former = Set(missing.values.flatMap(\.self))
        compose()
        return files.flatMap { missing[$0.path] ?? [] }.filter { !former.contains($0) }
    }

    private mutating func compose() {
        missing = [:]
        guard known.values.contains(where: { $0 != nil }) else { return }
        for file in files {
            let warnings = file.diagnostics(.warning) { (known[$0] ?? nil) }
            if !warnings.isEmpty { missing[file.path] = warnings }
        }
    }
}

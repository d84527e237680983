import Logging
import TminusCore
import TminusDefinitions
import TminusSinks
import TminusSystem
import TminusTestKit
import TminusWatch

/// The watching path at work: the watcher of a directory, the loader, and the schedule; and a record of all that was in
/// force.
final class Scene: Sendable {
    /// The file by which the driver tells that everything before it is settled, and its definition. Not part of any record.
    static let fence = (file: "zz-fence.yaml", id: "zz-fence")

    /// What is in force after one value of the watcher.
    struct State: Sendable {
        /// How often the definitions in force have become others.
        var generation: Int
        /// Identifies all files.
        var hash: String
        /// Names by id.
        var items: [String: String]
        /// Of timers, by id.
        var deadlines: [String: Timestamp]
        /// What is wrong.
        var diagnostics: [Diagnostic]
        /// What became of each file.
        var files: [FileReport]
        /// The digest of each file, by path.
        var digests: [String: String]
        /// The name of the fence; nil before there is one.
        var fence: String?
        /// When it was in force.
        var arrival: Timestamp
    }

    let place: Place
    let root: String
    let watcher: DirectoryWatcher
    /// Everything so far.
    let states = Watched<[State]>([])
    private let task: Task<Void, Never>
    private let start = (wall: ContinuousClock.now, processor: Duration.processorTime)

    /// A watcher of `root` below the place, at work.
    init(_ place: Place, root: String, options: WatchOptions) {
        self.place = place
        self.root = "\(place.path)/\(root)"
        watcher = DirectoryWatcher(
            root: self.root, options: options, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let (contents, states) = (watcher.contents, states)
        task = Task {
            var run = SceneRun()
            for await value in contents {
                let state = run.take(value, now: .wall)
                states.update { $0.append(state) }
            }
        }
        watcher.start()
    }

    /// The last state.
    var last: State? { states.value.last }

    /// How much of a core the whole process took since the start.
    var processorShare: Double { (.processorTime - start.processor) / start.wall.duration(to: .now) }

    /// Ends the watching. The next test has the notifications only if the thread has ended.
    func stop() async {
        await watcher.stop(within: Bounded.limit)
        task.cancel()
        await task.value
    }
}

/// What loader and schedule keep from one value of the watcher to the next.
private struct SceneRun {
    private var loader = DefinitionLoader(
        zones: SystemZoneDatabase(), sinks: SinkRegistry(StandardSinks.kinds), displayRoot: "")
    private var schedule = ScheduleMachine(StoreSnapshot())
    private var set = DefinitionSet()
    private var generation = 0

    mutating func take(_ contents: DirectoryContents, now: Timestamp) -> Scene.State {
        let result = loader.load(contents, now: .distantPast)
        if result.set != set {
            set = result.set
            generation += 1
            var input = ScheduleInput.definitions(set)
            while schedule.step(input, now: now).isMoreDue { input = .due }
        }
        let files = contents.files.filter { $0.path != Scene.fence.file }
        let fence = DefinitionID(Scene.fence.id)
        var items: [String: String] = [:]
        var deadlines: [String: Timestamp] = [:]
        for (id, definition) in set.definitions where id != fence {
            items[id.rawValue] = definition.name
            deadlines[id.rawValue] = schedule.schedule(of: id)?.deadline
        }
        return Scene.State(
            generation: generation, hash: Digest128.hexadecimal(of: files.flatMap { [$0.path, $0.digest] }),
            items: items, deadlines: deadlines, diagnostics: result.diagnostics, files: result.files,
            digests: Dictionary(files.map { ($0.path, $0.digest) }, uniquingKeysWith: { first, _ in first }),
            fence: fence.flatMap { set.definitions[$0]?.name }, arrival: .wall)
    }
}

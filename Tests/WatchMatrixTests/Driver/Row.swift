import TminusTestKit
import TminusWatch

/// One row of the watching matrix, or one case of it: how a place is prepared, what is done there, and what is to come of
/// it.
struct Row: Sendable {
    /// The number of the row. Cases of one row share it.
    var number: Int
    /// What is done, in a few words.
    var title: String
    /// How the directory is watched.
    var modes: [WatchOptions.Mode] = [.events]
    /// The modes in which it is part of every test run: it takes well under a second there, and no tool that not everybody
    /// has.
    var quickModes: [WatchOptions.Mode] = []
    /// What the machine must have.
    var needs: [Need] = []
    /// The shell script that prepares the place; see `Tools/prelude.sh` for what it can use.
    var prepare = Row.standardPlace
    /// The definitions that are in force after that, names by id.
    var items = ["a": "old", "b": "b", "c": "c"]
    /// What is done, and what comes of it.
    var steps: [Step]
    /// The directory that is watched, and the one in which the driver tells that all is settled, below the place.
    var root = "t"
    /// How often to look where nothing tells of changes.
    var pollInterval: Duration = .milliseconds(100)
    /// How often to look although nothing was told. So rare that it finds nothing in place of a notification.
    var rescanInterval: Duration = .seconds(3_600)
    /// Whether files that other users can write are read.
    var allowsInsecurePermissions = false
    /// How long it must be quiet after the last event of an edit.
    var quiet: Duration = .milliseconds(50)
    /// Whether it is right that a rescan finds what no notification told.
    var mayMiss = false
    /// The shell script that undoes what a row did to the machine. Run in any case, and may fail.
    var cleanup: String?
    /// A script over the real program, in place of all steps: it passes if the script does. The driver watches nothing.
    var program: String?
    /// Why it cannot be run in polling, or at all, whatever the machine has.
    var impossible: String?

    /// Two files: `a.yaml` with the timer that rows change, `b.yaml` with two that nobody touches.
    static let standardPlace = "mkdir t; item a old > t/a.yaml; { item b b; more c c; } > t/b.yaml"

    /// A row of one step.
    static func row(
        _ number: Int, _ title: String, _ save: String, _ expected: Expectation = .changed,
        modes: [WatchOptions.Mode] = [.events], quick: Bool = false, needs: [Need] = [],
        after prepare: String = Row.standardPlace, items: [String: String] = ["a": "old", "b": "b", "c": "c"],
        impossible: String? = nil
    ) -> Row {
        Row(
            number: number, title: title, modes: modes, quickModes: quick ? [.events] : [], needs: needs,
            prepare: prepare, items: items,
            steps: [Step(save, expected)], impossible: impossible)
    }

    /// A row of several steps.
    static func row(
        _ number: Int, _ title: String, steps: [Step], modes: [WatchOptions.Mode] = [.events], quick: Bool = false,
        needs: [Need] = [], after prepare: String = Row.standardPlace,
        items: [String: String] = ["a": "old", "b": "b", "c": "c"], impossible: String? = nil
    ) -> Row {
        Row(
            number: number, title: title, modes: modes, quickModes: quick ? [.events] : [], needs: needs,
            prepare: prepare, items: items,
            steps: steps, impossible: impossible)
    }

    /// A row that is one script over the real program.
    static func program(
        _ number: Int, _ title: String, _ script: String, needs: [Need] = [], quick: Bool = false,
        after prepare: String = Row.standardPlace, impossible: String? = nil
    ) -> Row {
        Row(
            number: number, title: title, quickModes: quick ? [.events] : [], needs: needs, prepare: prepare, steps: [],
            program: script,
            impossible: impossible)
    }

    /// The same with other values.
    func with(_ change: (inout Row) -> Void) -> Row {
        var copy = self
        change(&copy)
        return copy
    }
}

extension [WatchOptions.Mode] {
    /// By notifications, and again by polling.
    static let both: Self = [.events, .poll]
}

/// Something that is done, and what is to come of it.
struct Step: Sendable {
    /// What is done.
    enum Action: Sendable {
        /// A shell script, run in the place.
        case shell(String)
        /// What a script cannot do.
        case code(@Sendable (Scene) async throws -> Void)
    }

    var action: Action
    var expectation: Expectation
    /// How long the action may take.
    var limit = Bounded.limit

    init(_ script: String, _ expectation: Expectation = .changed) {
        action = .shell(script)
        self.expectation = expectation
    }

    init(_ expectation: Expectation, code: @escaping @Sendable (Scene) async throws -> Void) {
        action = .code(code)
        self.expectation = expectation
    }
}

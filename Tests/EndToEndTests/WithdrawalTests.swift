import Foundation
import Testing

/// What becomes of a delivery that waits for a retry when a person changes its definition: "What is withdrawn" in the article Delivery.
@Suite("Withdrawals")
struct WithdrawalTests {
    /// What a person does.
    enum Change: String, CaseIterable, CustomTestStringConvertible {
        case moved, removed, disabled, skipped, muted
        case allMuted = "all muted"

        var testDescription: String { rawValue }

        static let edits: [Change] = [.moved, .removed, .disabled]

        /// Why a waiting reminder is withdrawn.
        var reason: String {
            switch self {
            case .moved: "its occurrence was moved"
            case .removed: "the definition was removed"
            case .disabled: "the definition was disabled"
            case .skipped: "its occurrence was skipped"
            case .muted, .allMuted: "it was muted"
            }
        }

        /// Whether an expiry is withdrawn as well.
        var coversExpiries: Bool { [.disabled, .muted, .allMuted].contains(self) }

        fileprivate func make(_ tea: Tea) async throws {
            switch self {
            case .moved: try await tea.save(after: 7 * 86_400)
            case .removed: try await tea.remove()
            case .disabled: try await tea.save(isEnabled: false)
            case .skipped: try await tea.tminus("skip", "tea")
            case .muted: try await tea.tminus("mute", "tea", "--for", "5h")
            case .allMuted: try await tea.tminus("mute", "--for", "5h")
            }
        }

        fileprivate func takeBack(_ tea: Tea) async throws {
            switch self {
            case .moved, .removed, .disabled: try await tea.save()
            case .skipped, .muted: try await tea.tminus("unmute", "tea")
            case .allMuted: try await tea.tminus("unmute")
            }
        }
    }

    @Test(
        "a reminder is not sent after a change, and does not come back when the change is taken back",
        arguments: Change.allCases)
    func reminder(_ change: Change) async throws {
        let tea = try await Tea(.reminder)
        try await change.make(tea)
        try await tea.isRecorded("skipped", because: change.reason)
        try tea.letHookSucceed()
        let tried = tea.scratch.lines("tried")
        if change != .allMuted { try await tea.pass() }
        try await change.takeBack(tea)
        try await tea.pass()
        #expect(tea.scratch.lines("tried") == tried)
        #expect(tea.scratch.lines("sent") == [])
        try await tea.isRecorded("skipped", because: change.reason)
        try await tea.daemon.stop()
    }

    @Test(
        "an expiry is sent after its event was moved, removed or skipped, and not after it was disabled or muted",
        arguments: Change.allCases)
    func expiry(_ change: Change) async throws {
        let tea = try await Tea(.expiry)
        try await change.make(tea)
        if change.coversExpiries {
            try await tea.isRecorded("skipped", because: change.reason)
            try tea.letHookSucceed()
            try await change.takeBack(tea)
            try await tea.pass()
            #expect(tea.scratch.lines("sent") == [])
            try await tea.isRecorded("skipped", because: change.reason)
        } else {
            try tea.letHookSucceed()
            try await tea.scratch.lines(1, of: "sent")
            try await tea.isRecorded("delivered", because: nil)
        }
        try await tea.daemon.stop()
    }

    @Test("a change that is made while the daemon is stopped counts before anything is sent", arguments: Change.edits)
    func whileStopped(_ change: Change) async throws {
        let tea = try await Tea(.reminder)
        try await tea.daemon.stop()
        try tea.letHookSucceed()
        let tried = tea.scratch.lines("tried")
        switch change {
        case .moved: try tea.write(after: 7 * 86_400)
        case .removed: try tea.scratch.remove("tea.yaml")
        default: try tea.write(isEnabled: false)
        }
        let daemon = try RunningDaemon(in: tea.scratch)
        try await daemon.ready()
        try await tea.isRecorded("skipped", because: change.reason)
        try await tea.pass()
        #expect(tea.scratch.lines("tried") == tried)
        #expect(tea.scratch.lines("sent") == [])
        try await daemon.stop()
    }
}

/// An event with one action for a hook. The hook fails until a file exists, and records each run.
private struct Tea: Sendable {
    enum Action {
        /// An hour before the event.
        case reminder
        case expiry
    }

    let scratch: Scratch
    let daemon: RunningDaemon
    private let action: Action
    private let occurrence: Date

    /// Starts a daemon, and waits until the hook has failed once.
    init(_ action: Action) async throws {
        scratch = try Scratch()
        self.action = action
        try scratch.save(
            "sinks.yaml",
            """
            sinks:
              hook:
                shell: |
                  echo "$TMINUS_ATTEMPT" >>tried
                  test -e succeed || exit 75
                  echo "$TMINUS_DELIVERY" >>sent
                retry: { first: 300ms, max: 300ms }

            """)
        daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        // The action is due in some seconds, which is time for the daemon to load the event on a busy machine.
        let lead = action == .reminder ? 3_600.0 : 0
        occurrence = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 20 + lead).rounded(.up))
        try write()
        try await daemon.errors.first("a failed attempt") { $0.contains("the delivery will be retried") }
    }

    /// Writes the event, moved by that many seconds. It has another occurrence a day later, which can be skipped after the first.
    func write(after delay: TimeInterval = 0, isEnabled: Bool = true) throws {
        let instants = [0, 86_400].map { (occurrence + delay + $0).ISO8601Format() }
        try scratch.save(
            "tea.yaml",
            """
            events:
              tea:
                at: [\(instants.joined(separator: ", "))]
                enabled: \(isEnabled)
                \(action == .reminder ? "remind: 1 hour\n    on-reminder" : "on-expiry"): [hook]

            """)
    }

    /// As ``write(after:isEnabled:)``, and waits until it is in force.
    func save(after delay: TimeInterval = 0, isEnabled: Bool = true) async throws {
        try write(after: delay, isEnabled: isEnabled)
        try await tminus("reload", "--wait")
    }

    /// Removes the event, and waits until that is in force.
    func remove() async throws {
        try scratch.remove("tea.yaml")
        try await tminus("reload", "--wait")
    }

    /// Has the hook succeed from now on.
    func letHookSucceed() throws { try Data().write(to: URL(fileURLWithPath: "\(scratch.config)/succeed")) }

    /// Waits until a countdown has ended that takes longer than a retry is waited for.
    func pass() async throws {
        let count = scratch.lines("passed").count + 1
        try await tminus("timer", "1s", "--name", "p\(count)", "--then", "echo >>'\(scratch.config)/passed'")
        try await scratch.lines(count, of: "passed")
    }

    /// Waits until the delivery has that state, and expects it in all that a person can ask for.
    func isRecorded(_ state: String, because reason: String?) async throws {
        try await scratch.query(
            "SELECT state, coalesce(reason, '-') FROM delivery WHERE definition = 'tea'",
            yields: ["\(state)|\(reason ?? "-")"])
        let words = reason.map { "\(state), because \($0)" } ?? "\(state) at "
        // The controls have entries of their own, and so has the occurrence that a move takes away before it comes.
        let all = try await tminus("history", "tea")
        let history = all.filter { !$0.contains(" by ") && !$0.contains("edited away") }
        #expect(history.count == 1 && history[0].contains(": \(words)"), "\(all)")
        let why = try await tminus("why", "tea")
        #expect(history.first.map(why.contains) == true, "\(why)")
        let listed = try await tminus("deliveries", "--id", "tea", "--json").joined()
        let deliveries = try JSONDecoder().decode([Delivery].self, from: Data(listed.utf8))
        #expect(deliveries.map(\.state) == [state] && deliveries.map(\.message) == [reason], "\(listed)")
        #expect(deliveries.map(\.attempts) == [scratch.lines("tried").count], "\(listed)")
    }

    private struct Delivery: Decodable {
        var state: String
        var message: String?
        var attempts: Int
    }

    /// Runs a command, expects status 0 and returns its output.
    @discardableResult
    func tminus(_ arguments: String...) async throws -> [String] {
        let program = try Program(Program.tminus, arguments + ["--state", scratch.state])
        #expect(try await program.end() == 0, "\(arguments): \(program.errors.texts)")
        return program.output.texts
    }
}

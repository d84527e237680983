package import Testing

/// Lets one test of the process at a time have the notifications, of which there is one source.
package actor WatchTurn {
    /// The one of the process.
    package static let shared = WatchTurn()

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Returns when it is the caller's turn.
    func take() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Ends the turn.
    func giveBack() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}

/// Gives each test of a suite its turn, also beside the tests of other suites.
package struct WatchTurnTrait: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    @concurrent package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await WatchTurn.shared.take()
        do {
            try await function()
        } catch {
            await WatchTurn.shared.giveBack()
            throw error
        }
        await WatchTurn.shared.giveBack()
    }
}

extension Trait where Self == WatchTurnTrait {
    /// One test at a time, in the whole process.
    package static var oneWatcherAtATime: Self { Self() }
}

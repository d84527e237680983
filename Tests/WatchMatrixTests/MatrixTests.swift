import Testing
import WatchTestSupport

/// Real tools on real files, from the notification to the deadline. `make test-watch` runs every row.
@Suite("The watching matrix", .serialized, .oneWatcherAtATime)
struct MatrixTests {
    @Test("a row goes as expected", arguments: MatrixRun.chosen.filter(\.isCompiled))
    func row(_ run: MatrixRun) async throws {
        try await run.perform()
    }
}

import Foundation
import Glibc
import TminusTestKit

/// The lines of one stream of a process, each with its arrival time.
final class LineReader: Sendable {
    /// A line and its arrival time.
    struct Line: Sendable {
        var text: String
        var arrival: ContinuousClock.Instant
    }

    private struct State: Sendable {
        var lines: [Line] = []
        var hasEnded = false
    }

    private let name: String
    private let state = Watched(State())

    /// Creates a reader; `name` appears in errors.
    init(_ name: String) {
        self.name = name
    }

    /// The text of all lines so far.
    var texts: [String] { state.value.lines.map(\.text) }

    /// Reads a descriptor to its end on a new thread and closes it.
    func start(_ descriptor: CInt) {
        let state = state
        Thread.detachNewThread {
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { break }
                let arrival = ContinuousClock.now
                rest += buffer[..<count]
                guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
                let lines = rest[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                    .map { Line(text: String(decoding: $0, as: UTF8.self), arrival: arrival) }
                rest.removeFirst(end + 1)
                state.update { $0.lines += lines }
            }
            close(descriptor)
            state.update { $0.hasEnded = true }
        }
    }

    /// Waits for the first line that satisfies `isWanted`. `what` names it in the error.
    @discardableResult
    func first(
        _ what: String, since instant: ContinuousClock.Instant? = nil,
        where isWanted: @escaping @Sendable (String) -> Bool
    ) async throws -> Line {
        try await lines(1, what, since: instant, where: isWanted)[0]
    }

    /// Waits for the first `count` lines that satisfy `isWanted`.
    @discardableResult
    func lines(
        _ count: Int, _ what: String, since instant: ContinuousClock.Instant? = nil,
        where isWanted: @escaping @Sendable (String) -> Bool = { _ in true }
    ) async throws -> [Line] {
        @Sendable func wanted(_ state: State) -> [Line] {
            state.lines.filter { line in instant.map { line.arrival > $0 } ?? true }.filter { isWanted($0.text) }
        }
        _ = await state.wait(upTo: Waiting.limit) { wanted($0).count >= count || $0.hasEnded }
        let found = wanted(state.value)
        guard found.count >= count else {
            throw Waiting.Vain(what: "\(what) on \(name)", seen: texts)
        }
        return Array(found.prefix(count))
    }

    /// Waits for the end of the stream.
    func end() async throws {
        guard await state.wait(upTo: Waiting.limit, until: \.hasEnded) else {
            throw Waiting.Vain(what: "the end of \(name)", seen: texts)
        }
    }
}

/// The time limit and the error of all waits.
enum Waiting {
    /// Far longer than any test needs, also the one that waits for the look at the zones, which comes once a minute: it
    /// detects hangs and measures nothing.
    static let limit: Duration = .seconds(600)

    /// A wait that timed out.
    struct Vain: Error, CustomStringConvertible {
        var what: String
        var seen: [String]

        var description: String {
            "timed out waiting for \(what); seen:\n" + seen.map { "  | \($0)" }.joined(separator: "\n")
        }
    }
}

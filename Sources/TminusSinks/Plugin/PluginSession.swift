import Synchronization
import TminusCore

/// One process of a plug-in, from its start to its end, and the deliveries that were handed to it.
///
/// This file is about the deliveries, `PluginSession+Process.swift` about the process.
final class PluginSession: Sendable {
    private typealias Answer = Result<DeliveryReport, DeliveryError>

    private struct State {
        var ledger: PluginLedger
        /// The deliveries that wait for an answer.
        var waiting: [PluginLedger.Ticket: CheckedContinuation<Answer, Never>] = [:]
        var lastTicket = 0
        /// Why no more deliveries are taken; nil while they are.
        var over: DeliveryError?
        /// Why the process has to end. The first reason counts.
        var ending: PluginEnding?
        var warnings = LineBudget()
    }

    /// What the process has written.
    struct Streams {
        var answers = LineSplitter(limit: PluginMessage.lineLimit)
        var errors = LineSplitter(limit: PluginSession.logLineLimit + Redaction.margin)
        var tail = OutputTail()
        var budget = LineBudget()
        /// Removes the secrets that the process got.
        var redaction = Redaction()
    }

    let settings: PluginSettings
    let log: SinkLog
    let streams = Mutex(Streams())
    /// The lines for the process.
    let lines: AsyncStream<[UInt8]>
    let sendLine: AsyncStream<[UInt8]>.Continuation
    /// Why the process has to end; at most one element.
    let endings: AsyncStream<PluginEnding>
    private let sendEnding: AsyncStream<PluginEnding>.Continuation
    private let state: Mutex<State>

    /// A session whose process is not started yet.
    init(_ settings: PluginSettings, log: SinkLog) {
        self.settings = settings
        self.log = log
        state = Mutex(State(ledger: PluginLedger(settings)))
        (lines, sendLine) = AsyncStream.makeStream()
        (endings, sendEnding) = AsyncStream.makeStream()
    }

    /// Whether the plug-in has answered the greeting.
    var isReady: Bool { state.withLock { $0.ledger.isReady } }

    /// Hands a delivery to the process and waits for the answer.
    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        var timer: Task<Void, Never>?
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                submit(delivery, ticket, continuation)
                // A cancellation before the submission found nothing to cancel.
                if Task.isCancelled { change { $0.ledger.cancel(ticket) } }
                timer = Task { await watchDeadline(of: ticket) }
            }
        } onCancel: {
            change { $0.ledger.cancel(ticket) }
        }.get()
    }

    private func submit(
        _ delivery: Delivery, _ ticket: PluginLedger.Ticket, _ continuation: CheckedContinuation<Answer, Never>
    ) {
        let line = PluginMessage.delivery(delivery)
        change { state in
            state.waiting[ticket] = continuation
            if let over = state.over { return [.settle(ticket, .failure(over))] }
            return state.ledger.submit(ticket, id: delivery.id.rawValue, line: line, now: .now)
        }
    }

    private func watchDeadline(of ticket: PluginLedger.Ticket) async {
        while let deadline = state.withLock({ $0.ledger.deadline(of: ticket) }) {
            // Sending the delivery brings its deadline forward, at the earliest now.
            let next = min(deadline, .now + settings.timeout)
            guard (try? await Task.sleep(until: next, clock: .continuous)) != nil else { return }
            change { $0.ledger.expire(ticket, now: .now) }
        }
    }

    /// Removes these secrets from everything that the process says from now on.
    func use(_ redaction: Redaction) {
        streams.withLock { $0.redaction = redaction }
        state.withLock { $0.ledger.redaction = redaction }
    }

    /// Takes a line of the plug-in.
    func receive(_ line: [UInt8]) {
        change { $0.ledger.receive(line, now: .now) }
    }

    /// Asks for the end of the process.
    func end(_ ending: PluginEnding) {
        change { _ in [.end(ending)] }
    }

    /// The process has ended: fails all open and later deliveries.
    func fail(_ error: DeliveryError) {
        change { state in
            state.over = error
            return state.ledger.fail(error)
        }
        sendLine.finish()
    }

    /// Changes the state and performs the effects.
    private func change(_ body: (inout State) -> [PluginLedger.Effect]) {
        // Lines enter their stream under the lock, so that they keep the order of the ledger.
        let (settled, warnings) = state.withLock { state in
            var settled: [(CheckedContinuation<Answer, Never>, Answer)] = []
            var warnings: [String] = []
            for effect in body(&state) {
                switch effect {
                case .send(let line): sendLine.yield(line)
                case .settle(let ticket, let answer):
                    if let continuation = state.waiting.removeValue(forKey: ticket) {
                        settled.append((continuation, answer))
                    }
                case .end(let ending):
                    guard state.ending == nil else { continue }
                    state.ending = ending
                    sendEnding.yield(ending)
                case .warn(let text):
                    let (isWritten, leftOut) = state.warnings.take(now: .now)
                    if isWritten { warnings.append(text + (leftOut > 0 ? " (\(leftOut) more)" : "")) }
                }
            }
            return (settled, warnings)
        }
        for (continuation, answer) in settled { continuation.resume(returning: answer) }
        for text in warnings { log.warning("\(settings.shownProgram): the plug-in \(text)") }
    }
}

import Synchronization
import TminusCore
import TminusSystem

/// One process of a plug-in, from its start to its end, and the deliveries that it has in hand.
final class PluginSession: Sendable {
    private typealias Answer = Result<DeliveryReport, DeliveryError>

    /// How far a delivery is.
    private enum Progress {
        case open
        case awaited(CheckedContinuation<Answer, Never>)
        case ended(Answer)
    }

    private struct State {
        var ledger: PluginLedger
        var progress: [PluginLedger.Ticket: Progress] = [:]
        var next = 0
        /// Why no more deliveries are taken.
        var over: DeliveryError?
        /// The first wish to end the process holds.
        var wish: PluginEnding?
        var warnings = LineBudget()
    }

    private let settings: PluginSettings
    private let log: SinkLog
    private let state: Mutex<State>
    private let redaction = Mutex(Redaction())
    private let lines: AsyncStream<[UInt8]>
    private let sendLine: AsyncStream<[UInt8]>.Continuation
    private let wishes: AsyncStream<PluginEnding>
    private let wish: AsyncStream<PluginEnding>.Continuation

    /// A process that is not started yet.
    init(_ settings: PluginSettings, log: SinkLog) {
        self.settings = settings
        self.log = log
        state = Mutex(State(ledger: PluginLedger(settings)))
        (lines, sendLine) = AsyncStream.makeStream(of: [UInt8].self)
        (wishes, wish) = AsyncStream.makeStream(of: PluginEnding.self)
    }

    /// Whether the plug-in has answered the greeting.
    var isReady: Bool { state.withLock { $0.ledger.isReady } }

    /// Why a process ended, for people.
    static func problem(_ ending: PluginEnding, _ remark: String) -> String {
        "the plug-in \(ending.text)\(remark.isEmpty ? "" : ": \(remark)")"
    }

    // MARK: Deliveries

    /// Hands a delivery to the process and waits for the answer.
    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        let ticket = submit(delivery)
        let timer = Task { await watchDeadline(of: ticket) }
        defer { timer.cancel() }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { attach($0, to: ticket) }
        } onCancel: {
            change { ledger in ledger.cancel(ticket) }
        }
        return try answer.get()
    }

    private func submit(_ delivery: Delivery) -> PluginLedger.Ticket {
        let ticket = state.withLock { state in
            state.next += 1
            state.progress[state.next] = state.over.map { .ended(.failure($0)) } ?? .open
            return state.next
        }
        let line = PluginMessage.delivery(delivery)
        change { ledger in ledger.submit(ticket, id: delivery.id.rawValue, line: line, now: .now) }
        return ticket
    }

    private func attach(_ continuation: CheckedContinuation<Answer, Never>, to ticket: PluginLedger.Ticket) {
        let answer: Answer? = state.withLock { state in
            guard case .ended(let answer)? = state.progress[ticket] else {
                state.progress[ticket] = .awaited(continuation)
                return nil
            }
            state.progress[ticket] = nil
            return answer
        }
        if let answer { continuation.resume(returning: answer) }
    }

    private func watchDeadline(of ticket: PluginLedger.Ticket) async {
        while let deadline = state.withLock({ $0.ledger.deadline(of: ticket) }) {
            // Being sent, at the earliest now, brings the deadline forward.
            let next = min(deadline, .now + settings.timeout)
            guard (try? await Task.sleep(until: next, clock: .continuous)) != nil else { return }
            change { ledger in ledger.expire(ticket, now: .now) }
        }
    }

    /// Changes the ledger and performs what follows; after an error that comes `lastly` no delivery is taken any more.
    private func change(
        lastly over: DeliveryError? = nil, _ body: (inout PluginLedger) -> [PluginLedger.Effect]
    ) {
        // Lines are put into their stream under the lock, so that they keep the order of the ledger.
        let (settled, warnings) = state.withLock { state in
            var settled: [(CheckedContinuation<Answer, Never>, Answer)] = []
            var warnings: [String] = []
            guard state.over == nil else { return (settled, warnings) }
            defer { state.over = over }
            for effect in body(&state.ledger) {
                switch effect {
                case .send(let line): sendLine.yield(line)
                case .settle(let ticket, let answer):
                    if case .awaited(let continuation)? = state.progress[ticket] {
                        settled.append((continuation, answer))
                        state.progress[ticket] = nil
                    } else {
                        state.progress[ticket] = .ended(answer)
                    }
                case .end(let ending):
                    if state.wish == nil {
                        state.wish = ending
                        wish.yield(ending)
                    }
                case .warn(let text):
                    let (isWritten, leftOut) = state.warnings.take(now: .now)
                    if isWritten { warnings.append(text + (leftOut > 0 ? " (\(leftOut) more)" : "")) }
                }
            }
            return (settled, warnings)
        }
        let redaction = redaction.withLock { $0 }
        for (continuation, answer) in settled { continuation.resume(returning: answer.redacted(by: redaction)) }
        for text in warnings { log.warning("\(settings.shownProgram): the plug-in \(redaction.clean(text))") }
    }

    // MARK: The process

    /// Tells the process to finish.
    func stop() {
        change { _ in [.end(.stop)] }
    }

    /// Runs the process to its end; says why it ended and what it said last.
    @concurrent
    func run() async -> (ending: PluginEnding, remark: String) {
        let (ending, remark) = await runProcess()
        let error = DeliveryError.transient(Self.problem(ending, remark))
        change(lastly: error) { ledger in ledger.fail(error) }
        sendLine.finish()
        return (ending, remark)
    }

    private func runProcess() async -> (PluginEnding, String) {
        do throws(DeliveryError) {
            let (variables, hidden) = try await settings.surroundings.resolved()
            redaction.withLock { $0 = hidden }
            return try await runProcess(variables, hidden)
        } catch {
            return (.notStarted(error.reason), "")
        }
    }

    private func runProcess(
        _ variables: [String: [UInt8]], _ redaction: Redaction
    ) async throws(DeliveryError) -> (PluginEnding, String) {
        let start = ProgramStart(
            program: settings.program, arguments: [], environment: ProgramVariables.block(variables),
            directory: settings.surroundings.directory, label: settings.shownProgram, killAfter: settings.killAfter)
        let watch = PluginWatch(
            settings: settings, redaction: redaction, log: log, lines: lines, wishes: wishes,
            receive: { line in self.change { $0.receive(line, now: .now) } },
            ask: { ending in self.change { _ in [.end(ending)] } },
            isReady: { self.isReady },
            finishInput: { self.sendLine.finish() })
        sendLine.yield(PluginMessage.hello(config: settings.config))
        let starter = ProgramStarter()
        let running = try await start.retrying(within: settings.startLimit) { () throws(StartProblem) in
            try await RunningProgram.start(start, on: starter, output: watch.readAnswers, errors: watch.readErrors)
        }
        let wish = await watch.watch(running)
        guard let status = running.finish() else {
            throw .transient("the program '\(settings.program)' was reaped by somebody else")
        }
        return (wish ?? .exited(status), watch.lastLine)
    }
}

extension Result<DeliveryReport, DeliveryError> {
    /// What a plug-in says goes into the history.
    fileprivate func redacted(by redaction: Redaction) -> Self {
        mapError { error in
            var error = error
            error.reason = redaction.clean(error.reason)
            return error
        }
    }
}

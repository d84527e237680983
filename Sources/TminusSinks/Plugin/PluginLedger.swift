import TminusCore

/// The deliveries that one process of a plug-in has been given, and the answers that it owes. Decides what each line, deadline and end
/// means.
struct PluginLedger {
    /// Names one delivery to this process.
    typealias Ticket = Int
    typealias Instant = ContinuousClock.Instant

    /// What the session has to do.
    enum Effect: Equatable {
        /// Write a line.
        case send([UInt8])
        /// End a delivery.
        case settle(Ticket, Result<DeliveryReport, DeliveryError>)
        /// End the process.
        case end(PluginEnding)
        /// Write a warning to the log.
        case warn(String)
    }

    private struct Request {
        var id: String
        var line: [UInt8]
        var submitted: Instant
        var sent: Instant?
    }

    /// A process that writes this many lines without an answer among them is not a plug-in.
    static let nonsenseLimit = 100

    /// Removes the secrets that the process got from what it says.
    var redaction = Redaction()

    private let settings: PluginSettings
    private var requests: [Ticket: Request] = [:]
    /// Not sent yet, the oldest first.
    private var waiting: [Ticket] = []
    private var sent: [String: Ticket] = [:]
    /// The number of answers by id that nobody waits for any more.
    private var owed: [String: Int] = [:]
    private var owedCount = 0
    /// How many deliveries the plug-in takes at once; nil until it is ready.
    private var slots: Int?
    private var lastHeard: Instant?
    private var nonsense = 0

    init(_ settings: PluginSettings) {
        self.settings = settings
    }

    /// Whether the plug-in has answered the greeting.
    var isReady: Bool { slots != nil }

    /// The deadline of a delivery; nil if it has ended.
    func deadline(of ticket: Ticket) -> Instant? {
        requests[ticket].map { request in
            request.sent.map { $0 + settings.timeout }
                ?? request.submitted + settings.startLimit + settings.timeout
        }
    }

    /// Adds a delivery.
    mutating func submit(_ ticket: Ticket, id: String, line: [UInt8], now: Instant) -> [Effect] {
        requests[ticket] = Request(id: id, line: line, submitted: now)
        waiting.append(ticket)
        return sendWaiting(now: now)
    }

    /// Takes a line of the plug-in.
    mutating func receive(_ line: [UInt8], now: Instant) -> [Effect] {
        // Its process is being ended. What it still writes may be endless, and to parse all of that would delay the end.
        guard nonsense < Self.nonsenseLimit else { return [] }
        guard line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }) else { return [] }
        switch PluginMessage.answer(line, redaction) {
        case .nonsense(let problem): return count(problem)
        case .ready where isReady: return count("said twice that it is ready")
        case .ready(let version, _) where version != PluginMessage.version: return [.end(.version(version))]
        case .ready(_, let maxConcurrent):
            slots = max(1, min(maxConcurrent, settings.maxConcurrent))
            return heard(now)
        case .outcome where !isReady: return count("answered before it was ready")
        case .outcome(let id, let outcome):
            if let ticket = sent.removeValue(forKey: id) {
                requests[ticket] = nil
                return [.settle(ticket, Self.result(of: outcome))] + heard(now)
            }
            guard let count = owed[id] else {
                return self.count("answered for a delivery that it does not have: '\(shown(id))'")
            }
            owed[id] = count == 1 ? nil : count - 1
            owedCount -= 1
            return heard(now)
        }
    }

    /// Ends a delivery if its time is over.
    mutating func expire(_ ticket: Ticket, now: Instant) -> [Effect] {
        guard let deadline = deadline(of: ticket), deadline <= now, let request = requests[ticket] else { return [] }
        let limit = PlainText.duration(settings.timeout)
        forget(ticket)
        guard let start = request.sent else {
            return [.settle(ticket, .failure(.transient("the plug-in was busy for \(limit)")))]
                + (owedCount > 0 ? [.end(.owing(owedCount))] : [])
        }
        var effects = [Effect.settle(ticket, .failure(.transient("the plug-in gave no answer within \(limit)")))]
        if lastHeard.map({ $0 <= start }) ?? true {
            effects.append(.end(.silent(settings.timeout)))
        } else if owedCount >= slots ?? 1 {
            effects.append(.end(.owing(owedCount)))
        }
        return effects
    }

    /// Ends a delivery that nobody waits for any more.
    mutating func cancel(_ ticket: Ticket) -> [Effect] {
        guard requests[ticket] != nil else { return [] }
        forget(ticket)
        return [.settle(ticket, .failure(.stopped))]
    }

    /// Ends all open deliveries, because the process has ended.
    mutating func fail(_ error: DeliveryError) -> [Effect] {
        let open = requests.keys.sorted()
        requests = [:]
        waiting = []
        sent = [:]
        return open.map { .settle($0, .failure(error)) }
    }

    // MARK: Parts

    /// Removes a delivery. If it was sent, it keeps its slot, because the plug-in still works on it.
    private mutating func forget(_ ticket: Ticket) {
        guard let request = requests.removeValue(forKey: ticket) else { return }
        guard request.sent != nil else { return waiting.removeAll { $0 == ticket } }
        if sent[request.id] == ticket { sent[request.id] = nil }
        owed[request.id, default: 0] += 1
        owedCount += 1
    }

    private mutating func heard(_ now: Instant) -> [Effect] {
        lastHeard = now
        nonsense = 0
        return sendWaiting(now: now)
    }

    private mutating func sendWaiting(now: Instant) -> [Effect] {
        guard let slots else { return [] }
        var effects: [Effect] = []
        var index = 0
        while index < waiting.count, sent.count + owedCount < slots {
            let ticket = waiting[index]
            // A second attempt of a delivery waits for the answer to the first.
            guard var request = requests[ticket], sent[request.id] == nil else {
                index += 1
                continue
            }
            waiting.remove(at: index)
            request.sent = now
            sent[request.id] = ticket
            effects.append(.send(request.line))
            request.line = []
            requests[ticket] = request
        }
        return effects
    }

    private mutating func count(_ problem: String) -> [Effect] {
        nonsense += 1
        return nonsense >= Self.nonsenseLimit ? [.end(.invalidLines(problem))] : [.warn(problem)]
    }

    private func shown(_ id: String) -> String { PlainText.shortened(VisibleText.line(redaction.clean(id)), to: 40) }

    private static func result(of outcome: PluginMessage.Outcome) -> Result<DeliveryReport, DeliveryError> {
        switch outcome {
        case .delivered: .success(.empty)
        case .retry(let after, let reason):
            .failure(.transient(reason ?? "the plug-in asks for another attempt", retryAfter: after))
        case .dead(let reason): .failure(.permanent(reason ?? "the plug-in failed the delivery without a reason"))
        case .unknown(let word): .failure(.transient("the plug-in answered with the unknown outcome '\(word)'"))
        }
    }
}

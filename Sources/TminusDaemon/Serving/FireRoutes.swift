internal import Hummingbird
internal import TminusControl
internal import TminusCore

/// The route that sends an action as a test.
extension ControlAPI {
    /// Registers the route.
    func addFire(to routes: inout ControlRoutes) {
        routes.add("/items/:id/fire", [.post: { try await fire($0, $1) }], level: .control)
    }

    private func fire(_ request: Request, _ context: ControlContext) async throws -> Response {
        let id = try context.itemID()
        let body = try await request.decoded(as: FireBody.self)
        guard let entry = await desk.entry(id) else { throw await unknown(id) }
        let firing: Firing
        do throws(TestRefusal) {
            firing = try .test(of: entry.definition, reminder: body.reminder, sink: body.sink, now: clock.now)
        } catch {
            let titles =
                if case .noSink(let sinks) = error { await desk.sinkTitles(sinks) } else { [SinkKey: String]() }
            throw Problem(error, id, titles)
        }
        let titles = await desk.sinkTitles(firing.sinks)
        var outcomes: [DeliveryID: Outcome] = [:]
        if !body.isDryRun {
            do throws(ControlRefusal) {
                outcomes = try await desk.fire(firing, waits: body.waits)
            } catch {
                throw Problem(error, id)
            }
            try? await discardDead(outcomes)
        }
        let deliveries = firing.targets.map { Delivery(firing, to: $0, source: facts.source) }
        let drafts = await desk.drafts(of: deliveries)
        let answers = deliveries.map { delivery in
            FireAnswer.Delivery(
                drafts[delivery.id] ?? DeliveryDraft(delivery), sinkTitle: titles[delivery.sink],
                outcome: outcomes[delivery.id])
        }
        return .json(FireAnswer(isSent: !body.isDryRun, deliveries: answers).json)
    }

    /// Discards the tests that failed: the user who waited for them sees it, so that the status need not tell of them.
    private func discardDead(_ outcomes: [DeliveryID: Outcome]) async throws {
        let dead = outcomes.filter { if case .dead = $0.value { true } else { false } }
        guard !dead.isEmpty else { return }
        _ = try await discard(DeliveryFilter(ids: Array(dead.keys), limit: dead.count))
    }
}

extension Problem {
    /// Creates the problem for a refusal.
    fileprivate init(_ refusal: TestRefusal, _ id: DefinitionID, _ titles: [SinkKey: String]) {
        switch refusal {
        case .noReminder([]): self.init(.unfit, "\(id): it has no reminders", fitting: [])
        case .noReminder(let leads):
            self.init(
                .unfit, "\(id): no reminder has that lead time; its reminders are \(Self.list(leads))", fitting: [])
        case .noSink([]): self.init(.unfit, "\(id): the action has no sinks", fitting: [])
        case .noSink(let sinks):
            let names = sinks.map { titles[$0] ?? $0.rawValue }
            self.init(
                .unfit, "\(id): the action does not use that sink; its sinks are \(Self.list(names))", fitting: [])
        case .badLead(let reason): self.init(.badRequest, "'reminder': \(reason)")
        }
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

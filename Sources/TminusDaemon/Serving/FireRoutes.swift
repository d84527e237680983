internal import Hummingbird
internal import TminusControl
internal import TminusCore

/// The route that sends an action as a test.
struct FireRoutes: Sendable {
    let items: ItemRoutes
    /// The wall clock.
    let clock: any WallClock
    /// The CloudEvents source.
    let source: String

    /// Registers the route.
    func add(to routes: inout ControlRoutes) {
        routes.add("/items/:id/fire", [.post: { try await fire($0, $1) }])
    }

    private func fire(_ request: Request, _ context: ControlContext) async throws -> Response {
        let id = try context.itemID()
        let body = try await request.decoded(as: FireBody.self)
        guard let entry = await items.desk.entry(id) else { throw await items.unknown(id) }
        let firing: Firing
        do throws(TestRefusal) {
            firing = try .test(of: entry.definition, reminder: body.reminder, sink: body.sink, now: clock.now)
        } catch {
            throw Problem(error, id)
        }
        if !body.isDryRun {
            do throws(ControlRefusal) {
                _ = try await items.desk.fire(firing, waits: false)
            } catch {
                throw Problem(error, id)
            }
        }
        return try .json(FireAnswer(isSent: !body.isDryRun, deliveries: firing.targets.map { answer(firing, $0) }))
    }

    private func answer(_ firing: Firing, _ target: Firing.Target) -> FireAnswer.Delivery {
        let delivery = Delivery(firing, to: target, source: source)
        return FireAnswer.Delivery(
            id: delivery.id.rawValue, sink: delivery.sink.rawValue,
            event: String(decoding: CloudEvent.json(delivery), as: UTF8.self))
    }
}

extension Problem {
    /// Creates the problem for a refusal.
    fileprivate init(_ refusal: TestRefusal, _ id: DefinitionID) {
        switch refusal {
        case .noReminder([]): self.init(.unfit, "\(id): it has no reminders", fitting: [])
        case .noReminder(let leads):
            self.init(
                .unfit, "\(id): no reminder has that lead time; its reminders are \(Self.list(leads))", fitting: [])
        case .noSink([]): self.init(.unfit, "\(id): the action has no sinks", fitting: [])
        case .noSink(let sinks):
            self.init(
                .unfit, "\(id): the action does not use that sink; its sinks are \(Self.list(sinks.map(\.rawValue)))",
                fitting: [])
        case .badLead(let reason): self.init(.badRequest, "'reminder': \(reason)")
        }
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

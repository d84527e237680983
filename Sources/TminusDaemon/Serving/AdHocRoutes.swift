internal import Hummingbird
internal import TminusControl
internal import TminusCore

/// The routes for ad-hoc timers and stopwatches, which have no file.
extension ControlAPI {
    /// Registers the routes.
    func addAdHoc(to routes: inout ControlRoutes) {
        routes.add("/timers", [.post: { try await add(.timer, $0, $1) }], level: .control)
        routes.add("/stopwatches", [.post: { try await add(.stopwatch, $0, $1) }], level: .control)
        routes.add("/items/:id", [.delete: { _, context in try await remove(context) }], level: .control)
    }

    private func add(_ kind: DefinitionKind, _ request: Request, _ context: ControlContext) async throws -> Response {
        let body = try await request.decoded(as: AdHocBody.self)
        if body.then != nil { try context.access.require(.edit, for: "'then', a command that the daemon runs,") }
        if body.name?.isEmpty == true { throw Problem(.badRequest, "'name': must not be empty") }
        if let count = body.name?.unicodeScalars.count, count > AdHocBody.longestName {
            throw Problem(
                .badRequest, "'name': is too long (\(count) characters, at most \(AdHocBody.longestName))")
        }
        let id = try id(body, kind)
        do throws(DefinitionRefusal) {
            let (document, person) = (document(body, kind, id), context.user)
            let made: DefinitionID
            do throws(DefinitionRefusal) {
                made = try await definitions.add(document, by: person)
            } catch .taken(id, file: nil) {
                guard try await giveUp(id) else { throw .taken(id, file: nil) }
                made = try await definitions.add(document, by: person)
            }
            return try await shown(made)
        } catch {
            throw Problem(error, id)
        }
    }

    private func remove(_ context: ControlContext) async throws -> Response {
        let id = try context.itemID()
        do throws(DefinitionRefusal) {
            try await definitions.remove(id)
        } catch .inFile {
            try await removeFromFile(id, context)
        } catch {
            throw Problem(error, id)
        }
        return Response(status: .noContent)
    }

    /// Removes an expired ad-hoc timer without a pending snooze, so its id can be used again. Returns false if it is
    /// still needed.
    private func giveUp(_ id: DefinitionID) async throws(DefinitionRefusal) -> Bool {
        guard let entry = await desk.entry(id), entry.definition.isAdHoc, entry.state.phase == .expired,
            entry.state.overrides.snooze == nil
        else { return false }
        try await definitions.remove(id)
        // The schedule must see the removal before the addition. Otherwise the new definition would count as an edit of
        // the old one.
        guard await follow(id, { await desk.entry(id) == nil ? true : nil }) != nil else {
            throw .unwritten(reason: "the schedule has not removed the previous one yet; try again")
        }
        return true
    }

    /// Answers with the item as soon as the schedule has it.
    private func shown(_ id: DefinitionID) async throws(DefinitionRefusal) -> Response {
        guard let item = await follow(id, { await cache.item(id, now: clock.now) }) else {
            throw .unwritten(reason: "the schedule has not added it yet; check with 'tminus list'")
        }
        return .json(item, status: .created)
    }

    /// The time the schedule may take to apply a change of definitions.
    private static let patience = Duration.seconds(10)

    /// Calls `look` now and after each change of the definition until it returns a value. Returns nil after
    /// ``patience``.
    private func follow<Found: Sendable>(
        _ id: DefinitionID, _ look: @escaping @Sendable () async -> Found?
    ) async -> Found? {
        // Subscribe before the first look, so no change is missed.
        let changes = desk.changes()
        return await withTaskGroup(of: Found?.self) { group in
            group.addTask {
                if let found = await look() { return found }
                for await ids in changes where ids?.contains(id) ?? true {
                    if let found = await look() { return found }
                }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func id(_ body: AdHocBody, _ kind: DefinitionKind) throws(Problem) -> DefinitionID {
        if let text = body.id {
            guard let id = DefinitionID(text) else {
                throw Problem(
                    .badRequest, "'id': '\(text.prefix(80))' cannot be an id: \(DefinitionID.rule(brokenBy: text))")
            }
            return id
        }
        // A name such as a Hebrew one has no letter that an id may have. It gets a random id.
        let slug = body.name.map(DefinitionSlug.of) ?? ""
        let chance = String(UInt32.random(in: 0 ... .max), radix: 36)
        guard let id = DefinitionID(slug.isEmpty ? "\(kind.rawValue)-\(chance)" : slug) else {
            throw Problem(.badRequest, "'name': no id can be derived from it; give an 'id'")
        }
        return id
    }

    /// Encodes a definition file with this one definition.
    private func document(_ body: AdHocBody, _ kind: DefinitionKind, _ id: DefinitionID) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { file in
            file.member(kind == .timer ? "timers" : "stopwatches") { entries in
                entries.member(userKey: id.rawValue) { definition in
                    if let name = body.name { definition.member("name", name) }
                    if let duration = body.duration { definition.member("duration", duration) }
                    if kind == .stopwatch { definition.member("start", "auto") }
                    if let then = body.then {
                        definition.member("on-expiry", objects: [then]) { $0.member("shell", $1) }
                    }
                }
            }
        }
        return writer.bytes
    }
}

extension Problem {
    /// Creates the problem for a refusal.
    fileprivate init(_ refusal: DefinitionRefusal, _ id: DefinitionID) {
        switch refusal {
        case .invalid(let diagnostics):
            let reasons = diagnostics.map(\.message)
            self.init(.badRequest, reasons.isEmpty ? "the definition is invalid" : reasons.joined(separator: "; "))
        case .taken(let id, let file):
            self.init(
                .unfit, "'\(id)' is in use\(file.map { " in \($0)" } ?? ""); give another name or id", fitting: [])
        case .unknown(let near): self = .unknown(id, near: near.map(\.rawValue))
        case .inFile(let file): self.init(.unfit, "'\(id)' is defined in \(file)", fitting: [])
        case .unwritten(let reason): self.init(.unavailable, "\(id): not done: \(reason)")
        }
    }
}

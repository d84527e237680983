internal import Hummingbird
internal import TminusControl
internal import TminusCore

/// The routes of timers and stopwatches without a file.
struct AdHocRoutes: Sendable {
    let definitions: any DefinitionControl
    let items: ItemRoutes

    func add(to routes: inout ControlRoutes) {
        routes.add("/timers", [.post: { try await add(.timer, $0, $1) }])
        routes.add("/stopwatches", [.post: { try await add(.stopwatch, $0, $1) }])
        routes.add(
            "/items/:id",
            [
                .get: { _, context in try await items.show(context) },
                .delete: { _, context in try await remove(context) },
            ])
    }

    private func add(_ kind: DefinitionKind, _ request: Request, _ context: ControlContext) async throws -> Response {
        let body = try await request.decoded(as: AdHocBody.self)
        if body.name?.isEmpty == true { throw Problem(.badRequest, "'name': must not be empty") }
        if let count = body.name?.unicodeScalars.count, count > AdHocBody.longestName {
            throw Problem(
                .badRequest, "'name': has \(count) characters; a name has at most \(AdHocBody.longestName)")
        }
        let id = try id(body, kind)
        do throws(DefinitionRefusal) {
            let (document, person) = (document(body, kind, id), context.peer?.name ?? "")
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
        } catch {
            throw Problem(error, id)
        }
        return Response(status: .noContent)
    }

    /// Removes one without a file that has expired and of which nothing is to come: its name is free. False if it is not over.
    private func giveUp(_ id: DefinitionID) async throws(DefinitionRefusal) -> Bool {
        guard let entry = await items.desk.entry(id), entry.definition.isAdHoc, entry.state.phase == .expired,
            entry.state.overrides.snooze == nil
        else { return false }
        try await definitions.remove(id)
        // The schedule is to see it gone before it sees the new one, which would be an edit of the old one otherwise.
        guard await follow(id, { await items.desk.entry(id) == nil ? true : nil }) != nil else {
            throw .unwritten(reason: "the schedule has not given the former one up yet")
        }
        return true
    }

    /// The item, as soon as the schedule has it.
    private func shown(_ id: DefinitionID) async throws(DefinitionRefusal) -> Response {
        guard let item = await follow(id, { await items.cache.item(id, now: items.clock.now) }) else {
            throw .unwritten(reason: "the schedule has not taken it in yet")
        }
        return .json(item.json + Array("\n".utf8), status: .created)
    }

    /// How long the schedule may take to follow the definitions.
    private static let patience = Duration.seconds(10)

    /// What `look` finds: looked for now and whenever the schedule has changed that definition; nil if it takes too long.
    private func follow<Found: Sendable>(
        _ id: DefinitionID, _ look: @escaping @Sendable () async -> Found?
    ) async -> Found? {
        // From here on no change is missed.
        let changes = items.desk.changes()
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
                throw Problem(.badRequest, "'id': an id has 1 to 64 of the characters A-Z a-z 0-9 . _ -")
            }
            return id
        }
        // A name without a letter that an id may have, such as one in Hebrew, is for people alone.
        let slug = body.name.map(DefinitionSlug.of) ?? ""
        let chance = String(UInt32.random(in: 0 ... .max), radix: 36)
        guard let id = DefinitionID(slug.isEmpty ? "\(kind.rawValue)-\(chance)" : slug) else {
            throw Problem(.badRequest, "'name': no id can be made of it; give an id")
        }
        return id
    }

    /// A definition file with that one in it.
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
    /// A refusal in words.
    fileprivate init(_ refusal: DefinitionRefusal, _ id: DefinitionID) {
        switch refusal {
        case .invalid(let diagnostics):
            let reasons = diagnostics.map(\.message)
            self.init(.badRequest, reasons.isEmpty ? "the definition is wrong" : reasons.joined(separator: "; "))
        case .taken(let id, let file):
            self.init(
                .unfit, "'\(id)' is in use\(file.map { " in \($0)" } ?? ""); give another name or id", fitting: [])
        case .unknown(let near): self = .unknown(id, near: near.map(\.rawValue))
        case .inFile(let file): self.init(.unfit, "'\(id)' is defined in \(file): remove it there", fitting: [])
        case .unwritten(let reason): self.init(.unavailable, "\(id): not done: \(reason)")
        }
    }
}

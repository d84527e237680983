internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TminusControl
internal import TminusCore
internal import TminusTooling

/// The routes that add definitions to files, and remove them.
extension ControlAPI {
    /// Registers the routes.
    func addDefinitions(to routes: inout ControlRoutes) {
        routes.add("/definitions", [.post: { request, context in try await define(request, context) }], level: .edit)
    }

    private func define(_ request: Request, _ context: ControlContext) async throws -> Response {
        let isTrial = try request.flag("dry-run")
        let body = try await request.body.collect(upTo: ControlContext.bodyLimit)
        let new = try NewDefinition(json: Array(body.readableBytesView))
        if let holder = await desk.entry(new.id)?.definition, holder.isAdHoc {
            throw Problem.taken(new.id, "by a \(holder.kind.rawValue) without a file")
        }
        let now = clock.now
        let outcome = try await files.work(kept: await keptFiles(), now: now) { files in
            if files.defines(new.id.rawValue) {
                let place = try files.place(of: new.id.rawValue, in: nil)
                throw Problem.taken(new.id, "in \(place.file):\(place.line)")
            }
            return try files.add(new.kind, id: new.id.rawValue, file: new.file, isTrial: isTrial) { _ in new.entries }
        }
        if !isTrial { fileChanged(outcome.place.file, by: context) }
        let answer = AddedAnswer(
            id: outcome.place.id, kind: new.kind.rawValue, file: outcome.place.file, line: outcome.place.line,
            written: !isTrial, due: outcome.due(now: now)?.rfc3339, understood: outcome.understood(now: now),
            diagnostics: outcome.warnings.map(FileProblem.init))
        return .json(try ControlJSON.encode(answer), status: isTrial ? .ok : .created)
    }

    /// Removes a definition from its file.
    func removeFromFile(_ id: DefinitionID, _ context: ControlContext) async throws {
        try context.access.require(.edit, for: "to remove a definition from a file")
        let outcome = try await files.work(kept: await keptFiles(), now: clock.now) { files in
            guard files.defines(id.rawValue) else {
                throw Problem(
                    .unfit, "'\(id)' is not in its file now; the last good content of the file is in force: mend it",
                    fitting: [])
            }
            return try files.remove(id.rawValue, file: nil) { _, _ in true }
        }
        if let outcome { fileChanged(outcome.place.file, by: context) }
    }
}

extension Problem {
    /// The problem of an id that is in use.
    fileprivate static func taken(_ id: DefinitionID, _ place: String) -> Problem {
        Problem(.unfit, "'\(id)' is in use \(place); give another id", fitting: [])
    }
}

internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TminusControl
internal import TminusCore
internal import TminusDefinitions
internal import TminusTooling
internal import TminusWatch

/// The routes for definition files.
extension ControlAPI {
    /// The firings that are compared, as in `tminus diff`.
    private static let scope = DiffResult.Scope(limit: 5, horizon: nil)

    /// Registers the routes.
    func addFiles(to routes: inout ControlRoutes) {
        routes.add("/files", [.get: { _, _ in try .json(await fileList()) }], level: .edit)
        routes.add(
            "/file",
            [
                .get: { request, _ in try await read(request) },
                .put: { request, context in try await save(request, context) },
            ], level: .edit, bodyLimit: fileLimit)
    }

    private var fileLimit: Int { max(ControlContext.bodyLimit, files.directory.maxFileSize) }

    private func fileList() async throws -> FilesAnswer {
        let (watch, load) = (status.watchStatus, status.load)
        let shown = Dictionary(load.files.map { ($0.path, $0.display) }, uniquingKeysWith: { first, _ in first })
        let directories = Set(load.files.map { ConfigFiles.split($0.path).directory }).union([""])
        return FilesAnswer(
            directories: directories.sorted(), writable: try await files.work { [files] in files.isWritable },
            files: load.rows(watch).map { FilesAnswer.File($0, file: shown[$0.path]) })
    }

    private func read(_ request: Request) async throws -> Response {
        let path = try request.filePath()
        let bytes = try await files.work(now: clock.now) { files in
            guard files.has(path) else { throw Problem.noFile(path, files) }
            return try EditSession(files, id: nil, file: path).bytes
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/plain; charset=utf-8", .eTag: FileDesk.tag(bytes), .cacheControl: "no-store",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private func save(_ request: Request, _ context: ControlContext) async throws -> Response {
        let path = try request.filePath()
        let isTrial = try request.flag("dry-run")
        let condition = try WriteCondition(request.headers)
        if condition == .unknown, !isTrial {
            throw Problem(
                .unconditional,
                "say what you replace: If-Match with the ETag of GET /file, or If-None-Match: * for a new file")
        }
        let text = Array(try await request.body.collect(upTo: fileLimit).readableBytesView)
        let draft = try await files.work(kept: await keptFiles(), now: clock.now) { files in
            try FileDraft(path, text, condition, files)
        }
        guard draft.check.errors.isEmpty else { throw Problem.invalid(draft.check.problems) }
        let states = await states(of: draft.check.summary)
        let (diff, isWritten) = try await files.work {
            let comparison = draft.check.comparison(states: states, scope: Self.scope)
            return (comparison?.json ?? "{}", try !isTrial && draft.write())
        }
        guard isTrial || isWritten else { throw try await changed(path) }
        if isWritten { fileChanged(path, by: context) }
        return try saved(draft, isWritten, diff)
    }

    private func saved(_ draft: FileDraft, _ isWritten: Bool, _ diff: String) throws -> Response {
        let (check, tag) = (draft.check, isWritten ? draft.tag : draft.presentTag)
        let answer = SavedAnswer(
            path: draft.path, written: isWritten, etag: tag, added: check.summary.added,
            changed: check.summary.changed, removed: check.summary.removed,
            diagnostics: check.problems.map(FileProblem.init))
        var response = Response.json(
            try answer.json(diff: diff), status: isWritten && draft.isNew ? .created : .ok)
        if let tag { response.headers[.eTag] = tag }
        return response
    }

    /// The problem of a file that another has changed since it was checked.
    private func changed(_ path: String) async throws -> Problem {
        try await files.work(now: clock.now) { files in
            guard files.has(path) else { return Problem.noFile(path, files) }
            return Problem.changed(path, to: try EditSession(files, id: nil, file: path).bytes)
        }
    }

    /// The progress of the definitions that an edit touches.
    private func states(of summary: EditSession.Summary) async -> [ScheduleState] {
        // One that comes may have been there before: only the store knows.
        if !summary.added.isEmpty, let snapshot = try? await store.snapshot() { return snapshot.schedules }
        var states: [ScheduleState] = []
        for id in (summary.changed + summary.removed).compactMap({ DefinitionID($0) }) {
            if let entry = await desk.entry(id) { states.append(entry.state) }
        }
        return states
    }

    /// The last good content of the files. Without it, a file with errors counts as one without definitions.
    func keptFiles() async -> KeptFiles {
        (try? await store.keptFiles(root: files.keptRoot)) ?? KeptFiles()
    }

    /// Notes that a file was changed here.
    func fileChanged(_ path: String, by context: ControlContext) {
        files.changed(path, by: context.user, door: context.door)
        // Without notifications it would be seen only at the next poll.
        if case .polling = status.watchStatus.mode { reloads.perform() }
    }
}

extension Request {
    /// The path of a file in the query.
    fileprivate func filePath() throws(Problem) -> String {
        guard let path = parameter("path"), !path.isEmpty else {
            throw Problem(.badRequest, "'path': missing; give the path of a file, as GET /files lists it")
        }
        return path
    }
}

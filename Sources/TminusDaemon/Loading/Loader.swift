internal import Logging
internal import ServiceLifecycle
internal import TminusCore
internal import TminusDefinitions

/// Decodes each new state of the directory into definitions and sends changed definitions to the engine.
///
/// When time zones change, by an update of tzdata or another zone of the machine, it decodes the last state again.
///
/// The store keeps the last good content of each file for the next start. The engine does not wait for that write, because the
/// definitions in force do not depend on it. With a database that machines can share it does: see ``FilePublisher``.
struct Loader: Service {
    let source: any DefinitionSource
    let clock: any WallClock
    let loader: DefinitionLoader
    /// Its inputs, from the service itself, from ``zoneWatch`` and from ``LoaderClient``.
    let inbox: Mailbox<LoaderInput>
    /// Checked when the wall clock was set.
    let zoneWatch: ZoneWatch
    /// Looks for what sinks need.
    let needWatch: NeedWatch
    let store: any Store
    /// Keeps the files in its place if several machines can share the store.
    var publisher: FilePublisher?
    let engine: Mailbox<EngineInput>
    /// Publishes what is in force.
    let status: StatusPublisher
    /// Reports diagnostics to the user.
    let report: @Sendable ([Diagnostic]) -> Void
    let logger: Logger
    /// Notified after files were loaded.
    var upkeep = MemoryUpkeep()
    /// Called for each ping.
    var pulse: @Sendable () -> Void = {}
    /// Called with how long each load of the directory took.
    var loaded: @Sendable (Duration) -> Void = { _ in }

    /// - Throws: ``DaemonError`` if the source ends by itself.
    func run() async throws {
        defer {
            for case .request(let request) in inbox.close() { request.refuse() }
        }
        try await cancelWhenGracefulShutdown {
            var state = LoaderState(loader: loader)
            // Armed for no instant, so it goes off only when the clock is set.
            let alarm = clock.makeAlarm()
            let (taken, take) = AsyncStream.makeStream(of: Void.self)
            await withTaskGroup { group in
                group.addTask { await passOn(taken) }
                group.addTask {
                    for await _ in alarm.rings {
                        zoneWatch.look()
                        alarm.set(nil)
                    }
                }
                await work(&state) { take.yield() }
                alarm.cancel()
                group.cancelAll()
            }
            // Otherwise definitions would silently never change again.
            if !Task.isCancelled {
                throw DaemonError(.inputOutput, "\(state.root): the directory is no longer watched")
            }
        }
    }

    /// Passes on the states of the directory one by one: while one is loaded, the source may replace the waiting one by a newer one.
    private func passOn(_ taken: AsyncStream<Void>) async {
        var taken = taken.makeAsyncIterator()
        for await contents in source.contents {
            inbox.send(.contents(contents))
            await taken.next()
        }
        inbox.send(.ended)
    }

    /// Handles inputs until the source has ended.
    private func work(_ state: inout LoaderState, _ take: () -> Void) async {
        var isOver = false
        for await _ in inbox.signals {
            for input in inbox.takeAll() {
                switch input {
                case .contents(let contents):
                    if !state.hasBegun {
                        guard await recall(contents.root, &state) else {
                            sendLater(.contents(contents))
                            continue
                        }
                    }
                    if !state.knowsAdHoc { await recallAdHoc(&state) }
                    let begun = ContinuousClock.now
                    let change = state.load(contents, now: clock.now)
                    loaded(begun.duration(to: .now))
                    await apply(change, &state)
                    take()
                case .zones:
                    guard let change = state.loadAgain(now: clock.now) else { continue }
                    await apply(change, &state)
                case .heldChange:
                    if let change = state.takeHeld() { await apply(change, &state) }
                case .inspected(let things, let problems):
                    let news = state.inspected(things, problems)
                    status.publish(state.status)
                    needWatch.follow(state.missing)
                    if !news.isEmpty { report(news) }
                case .inForce(let generation):
                    state.inForce(generation: generation)
                    sayWhatIsInForce(&state)
                case .request(let request): await serve(request, &state)
                case .ping: pulse()
                case .ended: isOver = true
                }
            }
            if isOver { return }
        }
    }

    /// Loads the content that a former run kept. Returns false if nothing can be loaded yet.
    private func recall(_ root: String, _ state: inout LoaderState) async -> Bool {
        if let publisher { return await publisher.recall(root, into: &state.loader, now: clock.now) }
        do throws(StoreError) {
            state.loader.remember(try await store.keptFiles(root: root))
        } catch {
            logger.error(
                "cannot load the last good content of files: files with errors are left out",
                metadata: ["error": "\(error)"])
        }
        return true
    }

    private func recallAdHoc(_ state: inout LoaderState) async {
        do throws(StoreError) {
            let all = try await store.adHocDefinitions()
            state.loader.adHoc = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
            state.knowsAdHoc = true
        } catch {
            logger.error("cannot load the definitions without a file", metadata: ["error": "\(error)"])
        }
    }

    /// Serves a request. Its result is in the store before it is in force.
    private func serve(_ request: LoaderClient.Request, _ state: inout LoaderState) async {
        switch request {
        case .add(let document, let person, let reply):
            do throws(DefinitionRefusal) {
                let definition = try state.definition(document, by: person, now: clock.now)
                do { try await store.add(definition) } catch { throw .unwritten(reason: "\(error)") }
                var all = state.loader.adHoc
                all[definition.id] = definition
                if let change = state.load(adHoc: all, now: clock.now) { await apply(change, &state) }
                logger.notice(
                    "made without a file", metadata: ["definition.id": "\(definition.id)", "by": "\(person)"])
                reply.resume(returning: .success(definition.id))
            } catch {
                reply.resume(returning: .failure(error))
            }
        case .remove(let id, let reply):
            if let refusal = state.refusal(toRemove: id) { return reply.resume(returning: .failure(refusal)) }
            do throws(StoreError) {
                try await remove([id], &state)
                reply.resume(returning: .success(()))
            } catch {
                reply.resume(returning: .failure(.unwritten(reason: "\(error)")))
            }
        case .forget(let ids):
            do throws(StoreError) {
                try await remove(ids.filter { state.loader.adHoc[$0] != nil }, &state)
            } catch {
                logger.warning("expired ad-hoc definitions were not removed", metadata: ["error": "\(error)"])
            }
        }
    }

    private func remove(_ ids: [DefinitionID], _ state: inout LoaderState) async throws(StoreError) {
        guard !ids.isEmpty else { return }
        _ = try await store.removeAdHoc(ids)
        var all = state.loader.adHoc
        for id in ids { all[id] = nil }
        if let change = state.load(adHoc: all, now: clock.now) { await apply(change, &state) }
    }

    /// Puts a load in force and keeps its content. If several machines can share the store, the load waits until it is published.
    private func apply(_ change: LoaderState.Change, _ state: inout LoaderState) async {
        let change = state.joined(change)
        guard let publisher else {
            act(on: change, &state)
            return await keep(&state)
        }
        if let content = state.unwritten.published {
            guard await publisher.publish(content, now: clock.now) else {
                state.hold(change)
                return sendLater(.heldChange)
            }
            _ = state.written()
        }
        act(on: change, &state)
    }

    private func sendLater(_ input: LoaderInput) {
        // Nobody waits for it: a mailbox that is closed meanwhile takes nothing.
        Task { [inbox] in
            try? await Task.sleep(for: FilePublisher.pause, clock: .continuous)
            inbox.send(input)
        }
    }

    /// Writes new content to the store.
    private func keep(_ state: inout LoaderState) async {
        let change = state.unwritten
        guard !change.isEmpty else { return }
        do throws(StoreError) {
            try await store.keep(
                change.changed.values.sorted { $0.path < $1.path }, forget: change.forgotten.sorted(), root: state.root,
                now: clock.now)
            if state.written() { logger.notice("the content of files can be kept again") }
        } catch {
            guard state.refused(error) else { return }
            logger.error(
                "the content of files cannot be kept: a start while one has errors would leave it out",
                metadata: ["error": "\(error)"])
        }
    }

    /// Logs for files that have become broken that their last good content stays in force.
    private func sayWhatStays(_ files: [FileReport], _ news: [Diagnostic]) {
        let broken = Set(news.filter { $0.severity == .error }.map(\.location.file))
        for file in files where file.state == .stale && broken.contains(file.display) {
            logger.notice(
                "the last good content of the file stays in force",
                metadata: ["definitions": "\(file.definitionCount)", "file": "\(file.display)"])
        }
    }

    private func act(on change: LoaderState.Change, _ state: inout LoaderState) {
        defer { upkeep.worked() }
        status.publish(state.status)
        needWatch.follow(state.missing)
        needWatch.inspect(state.uninspected)
        if !change.news.isEmpty {
            report(change.news)
            sayWhatStays(state.status.files, change.news)
        }
        if change.isInOrderAgain { logger.notice("no file has errors any more") }
        if change.isWaiting {
            logger.error("no definitions yet: the directory cannot be read", metadata: ["config": "\(state.root)"])
        }
        if change.hasOtherZones {
            logger.notice("time zones have changed", metadata: ["tzdata": "\(state.status.zoneVersion ?? "-")"])
        }
        sayWhatIsInForce(&state)
        if let set = change.set {
            engine.send(.schedule(change.changed.map { .changes(set, of: $0) } ?? .definitions(set)))
        }
        logger.debug("directory content loaded", metadata: status.figures)
    }

    /// Publishes and logs that the content of the last load is in force, once it is: definitions are when the engine has written
    /// them.
    private func sayWhatIsInForce(_ state: inout LoaderState) {
        guard state.isInForce else { return }
        status.publish(inForce: state.status)
        guard state.takeInForce() else { return }
        logger.notice(
            "definitions in force",
            metadata: [
                "definitions": "\(state.status.definitions)", "files": "\(state.status.files.count)",
                "errors": "\(state.errors)", "generation": "\(state.status.generation)",
                "hash": "\(state.status.hash ?? "-")", "tzdata": "\(state.status.zoneVersion ?? "-")",
            ])
    }
}

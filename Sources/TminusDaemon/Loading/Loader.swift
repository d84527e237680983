internal import Logging
internal import ServiceLifecycle
internal import TminusCore
internal import TminusDefinitions

/// Turns every settled state of the directory into definitions, and sends them to the engine when they changed.
///
/// It does the same when time zones have changed: an update of tzdata, or another zone of the machine. Then the last state of the
/// directory is decoded once more.
///
/// The last good content of each file is in the store too, for the next start. The engine does not wait for that: what is in
/// force here is right in any case.
struct Loader: Service {
    let source: any DefinitionSource
    let clock: any WallClock
    let loader: DefinitionLoader
    /// What it is to do; filled by the service itself and by ``zoneWatch``.
    let inbox: Mailbox<LoaderInput>
    /// Takes definitions without a file.
    let desk: LoaderDesk
    /// Asked when the wall clock was set.
    let zoneWatch: ZoneWatch
    let store: any Store
    let engine: Mailbox<EngineInput>
    /// Takes what is live.
    let status: StatusBoard
    /// Takes diagnostics for the user.
    let report: @Sendable ([Diagnostic]) -> Void
    let logger: Logger
    /// Told when files were taken in.
    var upkeep = MemoryUpkeep()

    /// - Throws: ``DaemonError`` if the source ends by itself.
    func run() async throws {
        defer { desk.close() }
        try await cancelWhenGracefulShutdown {
            var run = LoaderRun(loader: loader)
            // Set for no instant, it rings when the clock is set and wakes nobody else.
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
                await work(&run) { take.yield() }
                alarm.cancel()
                group.cancelAll()
            }
            // Nothing would ever change again, and nobody would know.
            if !Task.isCancelled { throw DaemonError(.inputOutput, "\(run.root): the directory is no longer watched") }
        }
    }

    /// Passes on the states of the directory, one after the other: while one is taken in, the source may replace those that wait.
    private func passOn(_ taken: AsyncStream<Void>) async {
        var taken = taken.makeAsyncIterator()
        for await contents in source.contents {
            inbox.send(.contents(contents))
            await taken.next()
        }
        inbox.send(.ended)
    }

    /// Takes inputs until the source has ended.
    private func work(_ run: inout LoaderRun, _ take: () -> Void) async {
        for await _ in inbox.signals {
            for input in inbox.takeAll() {
                switch input {
                case .contents(let contents):
                    if !run.hasBegun { await recall(contents.root, &run) }
                    if !run.knowsAdHoc { await recallAdHoc(&run) }
                    act(on: run.load(contents, now: clock.now), run)
                    await keep(&run)
                    take()
                case .zones:
                    guard let change = run.loadAgain(now: clock.now) else { continue }
                    act(on: change, run)
                    await keep(&run)
                case .asked:
                    for request in desk.takeAll() { await serve(request, &run) }
                case .ended: return
                }
            }
        }
    }

    /// Gives the loader what a former run kept.
    private func recall(_ root: String, _ run: inout LoaderRun) async {
        do throws(StoreError) {
            run.loader.remember(try await store.keptFiles(root: root))
        } catch {
            logger.error(
                "the last good content of files is not known: those with errors are left out",
                metadata: ["error": "\(error)"])
        }
    }

    private func recallAdHoc(_ run: inout LoaderRun) async {
        do throws(StoreError) {
            let all = try await store.adHocDefinitions()
            run.loader.adHoc = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
            run.knowsAdHoc = true
        } catch {
            logger.error("the definitions without a file are not known", metadata: ["error": "\(error)"])
        }
    }

    /// Does what was asked at the desk. It is in the store before it is in force.
    private func serve(_ request: LoaderDesk.Request, _ run: inout LoaderRun) async {
        switch request {
        case .add(let document, let person, let reply):
            do throws(DefinitionRefusal) {
                let definition = try run.definition(document, by: person, now: clock.now)
                do { try await store.add(definition) } catch { throw .unwritten(reason: "\(error)") }
                var all = run.loader.adHoc
                all[definition.id] = definition
                if let change = run.load(adHoc: all, now: clock.now) { act(on: change, run) }
                logger.notice(
                    "made without a file", metadata: ["definition.id": "\(definition.id)", "by": "\(person)"])
                reply.resume(returning: .success(definition.id))
            } catch {
                reply.resume(returning: .failure(error))
            }
        case .remove(let id, let reply):
            if let refusal = run.refusal(toRemove: id) { return reply.resume(returning: .failure(refusal)) }
            do throws(StoreError) {
                try await remove([id], &run)
                reply.resume(returning: .success(()))
            } catch {
                reply.resume(returning: .failure(.unwritten(reason: "\(error)")))
            }
        case .forget(let ids):
            do throws(StoreError) {
                try await remove(ids.filter { run.loader.adHoc[$0] != nil }, &run)
            } catch {
                logger.warning("definitions that are over stay for now", metadata: ["error": "\(error)"])
            }
        }
    }

    private func remove(_ ids: [DefinitionID], _ run: inout LoaderRun) async throws(StoreError) {
        guard !ids.isEmpty else { return }
        _ = try await store.removeAdHoc(ids)
        var all = run.loader.adHoc
        for id in ids { all[id] = nil }
        if let change = run.load(adHoc: all, now: clock.now) { act(on: change, run) }
    }

    /// Has the store keep what is new.
    private func keep(_ run: inout LoaderRun) async {
        let change = run.unwritten
        guard !change.isEmpty else { return }
        do throws(StoreError) {
            try await store.keep(
                change.changed.values.sorted { $0.path < $1.path }, forget: change.forgotten.sorted(), root: run.root,
                now: clock.now)
            if run.written() { logger.notice("the content of files can be kept again") }
        } catch {
            guard run.refused(error) else { return }
            logger.error(
                "the content of files cannot be kept: a start while one has errors would leave it out",
                metadata: ["error": "\(error)"])
        }
    }

    /// Of files that have become broken: that they still do something, and what.
    private func sayWhatStays(_ files: [FileReport], _ news: [Diagnostic]) {
        let broken = Set(news.filter { $0.severity == .error }.map(\.location.file))
        for file in files where file.state == .stale && broken.contains(file.display) {
            logger.notice(
                "the last good content of the file stays in force",
                metadata: ["definitions": "\(file.definitionCount)", "file": "\(file.display)"])
        }
    }

    private func act(on change: LoaderRun.Change, _ run: LoaderRun) {
        defer { upkeep.worked() }
        status.publish(run.status)
        if !change.news.isEmpty {
            report(change.news)
            sayWhatStays(run.status.files, change.news)
        }
        if change.isInOrderAgain { logger.notice("all files are in order again") }
        if change.isWaiting {
            logger.error("no definitions yet: the directory cannot be read", metadata: ["config": "\(run.root)"])
        }
        if change.hasOtherZones {
            logger.notice("time zones have changed", metadata: ["tzdata": "\(run.status.zoneVersion ?? "-")"])
        }
        if change.isNewGeneration {
            logger.notice(
                "definitions in force",
                metadata: [
                    "definitions": "\(run.status.definitions)", "files": "\(run.status.files.count)",
                    "errors": "\(change.errors)", "generation": "\(run.status.generation)",
                    "hash": "\(run.status.hash ?? "-")", "tzdata": "\(run.status.zoneVersion ?? "-")",
                ])
        }
        logger.debug("directory taken", metadata: status.figures)
        if let set = change.set {
            engine.send(.schedule(change.changed.map { .changes(set, of: $0) } ?? .definitions(set)))
        }
    }
}

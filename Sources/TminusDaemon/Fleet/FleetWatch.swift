internal import Logging
internal import ServiceLifecycle
internal import TminusCore

/// Looks after the followers of a leader: releases the claims of those that have ended, tells the engine what the others have done, and
/// carries out what they forward.
struct FleetWatch: Service {
    let store: any FleetStore
    let clock: any WallClock
    let engine: Mailbox<EngineInput>
    /// Names this process in its claims.
    let owner: String
    /// Told who follows.
    let status: StatusPublisher
    /// The requests that they forward.
    let executor: RequestExecutor
    let logger: Logger

    func run() async throws {
        let (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { for await _ in store.wakes { bell.yield() } }
                group.addTask {
                    while !Task.isCancelled {
                        bell.yield()
                        try? await Task.sleep(for: Follower.interval, clock: .continuous)
                    }
                }
                await look(at: bells) { work in group.addTask { await work() } }
                group.cancelAll()
            }
        }
    }

    private func look(at bells: AsyncStream<Void>, begin: (@escaping @Sendable () async -> Void) -> Void) async {
        var last: Int64 = 0
        var (followers, wasFollowed) = ([FleetMachine](), true)
        var (differences, different) = (FileDifferences(), Set<String>())
        /// Since when the store has answered each look.
        var answersSince = ContinuousClock.now
        var released: ContinuousClock.Instant?
        for await _ in bells {
            let asked = ContinuousClock.now
            var release = FleetRelease.nothing
            // The bell of the interval may come a little early.
            if released.map({ $0.duration(to: asked) >= Follower.interval * 0.9 }) ?? true {
                release = answersSince.duration(to: asked) > store.lease ? .ofSilent : .ofClosed
                released = asked
            }
            // An engine that hears of a store that refuses, or of another leader, says so.
            let state = try? await store.look(
                after: last, releasing: release, knowing: executor.known, owner: owner, now: clock.now)
            if state == nil || asked.duration(to: .now) > .seconds(1) { answersSince = .now }
            guard let state else { continue }
            last = state.last
            logger.log(state.released)
            let hasReleased = state.released.count > 0 || !state.released.setAside.isEmpty
            // What a follower gave back, or what follows the end of its attempts, can be claimed.
            if state.isFollowed || wasFollowed || hasReleased || !state.news.outcomes.isEmpty {
                engine.send(.others(state.news))
            }
            wasFollowed = state.isFollowed
            for work in executor.begin(state.requests) { begin(work) }
            let others = differences.take(state.followers, hash: status.soundHash, at: asked)
            if state.followers != followers || others != different {
                logMembers(Set(followers.map(\.process)), Set(state.followers.map(\.process)))
                logFiles(different, others, among: state.followers)
                (followers, different) = (state.followers, others)
                status.publish(followers: followers, different: different)
            }
            // Followers that are busy wake it more often than anybody looks.
            try? await Task.sleep(for: .milliseconds(50), clock: .continuous)
        }
    }

    private func logFiles(_ former: Set<String>, _ now: Set<String>, among followers: [FleetMachine]) {
        for process in now.subtracting(former).sorted() {
            logger.warning("a follower has other definition files", metadata: ["follower": "\(process)"])
        }
        for process in former.subtracting(now).sorted() where followers.contains(where: { $0.process == process }) {
            logger.notice("a follower has the same definition files again", metadata: ["follower": "\(process)"])
        }
    }

    private func logMembers(_ former: Set<String>, _ now: Set<String>) {
        for process in now.subtracting(former).sorted() {
            logger.notice("a follower delivers too", metadata: ["follower": "\(process)"])
        }
        for process in former.subtracting(now).sorted() {
            logger.notice("a follower has ended", metadata: ["follower": "\(process)"])
        }
    }
}

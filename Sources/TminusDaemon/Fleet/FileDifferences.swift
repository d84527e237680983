internal import TminusCore

/// Which followers have other definition files than the leader. An edit reaches the machines one after the other, so only a
/// difference that lasts counts.
struct FileDifferences {
    /// How long files may differ.
    static let patience = Duration.seconds(30)

    /// Since when the files of a machine differ, by its name.
    private var since: [String: ContinuousClock.Instant] = [:]

    /// Notes what the followers say.
    ///
    /// - Parameter hash: That of the content in force; nil if a file of the leader has an error, because the last good content of such
    ///   a file is on no other machine.
    /// - Returns: The followers whose files have differed for longer than ``patience``, by their names.
    mutating func take(_ followers: [FleetMachine], hash: String?, at now: ContinuousClock.Instant) -> Set<String> {
        let different = followers.filter { follower in
            // What is unknown stays as it was.
            guard let hash, let other = follower.hash else { return since[follower.process] != nil }
            return other != hash
        }
        since = Dictionary(
            different.map { ($0.process, since[$0.process] ?? now) }, uniquingKeysWith: { first, _ in first })
        return Set(since.filter { $0.value.duration(to: now) >= Self.patience }.keys)
    }
}

internal import ArgumentParser
internal import TminusControl
internal import TminusDaemon
internal import TminusSystem
internal import TminusTooling

/// The options for the places of a daemon, which need not run.
struct StorePlaces: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The directory with the definitions. Default: that of the daemon that runs, else the one that 'tminus run' would watch.",
            valueName: "dir"))
    var config: String?

    @Option(help: ArgumentHelp("The state directory. Default: \(RunningDaemon.defaultState)", valueName: "dir"))
    var state: String?

    /// The places that the options name, else those of the daemon that runs, else the standard ones. With `--config`, no daemon is asked:
    /// one that watches another directory must not lend its store to this one.
    ///
    /// - Parameter candidate: The config directory if no option, daemon or standard place tells one.
    func options(store: String?, candidate: String? = nil) async throws(DaemonError) -> DaemonOptions {
        let running = config == nil ? await RunningDaemon.answering(state: state) : nil
        return try DaemonOptions(
            config: config ?? running?.config ?? (try? ConfigDirectory.standard()) ?? candidate,
            state: state ?? running?.state, store: store ?? running?.store)
    }
}

/// Where the daemon that runs has its files, as it says itself: it may have been started with other options than the command
/// that asks, and in another directory.
struct RunningDaemon {
    /// The config directory.
    let config: String
    /// The path of the store, or the address of a database for messages.
    let store: String
    /// The state directory; nil if the store is elsewhere.
    let state: String?

    /// What the help says of the default of `--state`.
    static let defaultState =
        "that of the daemon that runs, else $TMINUS_STATE, $STATE_DIRECTORY, $XDG_STATE_HOME/tminus or ~/.local/state/tminus; for root, which has neither, that of the system service."

    /// The daemon that the other commands would ask; nil if none answers. For one that stands by the leader answers, whose config directory
    /// has the same path.
    static func answering(socket: String? = nil, state: String?) async -> RunningDaemon? {
        guard let socket = try? ControlSocketPath.ofDaemon(socket: socket, state: state),
            let status = try? await ControlClient.connected(to: socket, { try await $0.status() }),
            let config = status.config, let store = status.store
        else { return nil }
        guard !StoreLocation.isDatabase(store) else { return RunningDaemon(config: config, store: store, state: nil) }
        let directory = ParentDirectory.of(store)
        let isState = StateLock.holder(of: directory)?.process == status.processID
        return RunningDaemon(config: config, store: store, state: isState ? directory : nil)
    }
}

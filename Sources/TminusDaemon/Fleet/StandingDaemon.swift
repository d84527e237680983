package import TminusSystem

/// A daemon that stands by, as its lock file tells.
package struct StandingDaemon: Sendable, Hashable {
    /// Its process id.
    package var process: Int
    /// Its state directory.
    package var directory: String
    /// Its control socket; nil while it has none.
    package var socket: String?
    /// What it knows.
    package var standby: StateLock.Standby

    /// What a command says that needs the daemon.
    var refusal: String {
        let advice = standby.problem == nil ? ": run the command there" : ""
        return "the daemon on \(directory) (process id \(process)) \(standby.words)\(advice)"
    }
}

extension ControlSocketPath {
    /// The daemon that a command means, if that stands by; nil if it does not, or if only a socket was given that is not of a known state
    /// directory, because then it is unknown which daemon is meant.
    package static func standby(socket: String?, state: String?) -> StandingDaemon? {
        standby(Choice(socket, state, MachinePaths(environment: MachinePaths.environment)))
    }

    /// The daemon of a choice, if it stands by. One on the standard state directory wins over that of a system service.
    static func standby(_ choice: Choice) -> StandingDaemon? {
        let paths = choice.paths
        if let socket = choice.socket {
            let known = [choice.state, paths.stateDirectory, paths.systemStateDirectory].compactMap(\.self)
            return known.lazy.compactMap(standby).first { $0.socket == socket }
        }
        if let state = choice.state { return standby(on: state) }
        if let directory = paths.stateDirectory, StateLock.holder(of: directory) != nil {
            return standby(on: directory)
        }
        let system = standby(on: paths.systemStateDirectory)
        let path = path(choice)
        return system?.socket == path || !UnixSocket.isServed(path) ? system : nil
    }

    private static func standby(on directory: String) -> StandingDaemon? {
        guard let holder = StateLock.holder(of: directory), let standby = holder.standby else { return nil }
        return StandingDaemon(
            process: holder.process, directory: MachinePaths.absolute(directory), socket: holder.socket,
            standby: standby)
    }
}

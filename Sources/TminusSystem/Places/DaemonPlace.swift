internal import Synchronization

/// The place of the daemon in this process. Its programs get it in their environment, so that commands in a hook talk
/// to the daemon that runs the hook.
package final class DaemonPlace: Sendable {
    /// The variable with the control socket.
    package static let socketVariable = "TMINUS_SOCKET"
    /// The variable with the state directory.
    package static let stateVariable = "TMINUS_STATE"

    /// The place for programs started by this task and its children; nil outside a daemon.
    ///
    /// It is a task-local value because sinks are created from files alone and know no state directory.
    @TaskLocal package static var current: DaemonPlace?

    /// How far the unit of the daemon restricts its programs; nil outside a unit of the package.
    package let profile: ServiceEnvironment.Profile?
    private let state: String
    private let socket = Mutex<String?>(nil)

    /// The place of a daemon that has no control socket yet.
    package init(state: String, profile: ServiceEnvironment.Profile? = nil) {
        self.state = state
        self.profile = profile
    }

    /// The control socket is open at this path.
    package func opened(_ path: String) {
        socket.withLock { $0 = path }
    }

    /// The variables, that of the socket only once there is one.
    package var variables: [(name: String, value: String)] {
        var variables = [(name: Self.stateVariable, value: state)]
        if let socket = socket.withLock({ $0 }) { variables.append((Self.socketVariable, socket)) }
        return variables
    }
}

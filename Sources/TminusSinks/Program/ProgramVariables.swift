import Glibc
import TminusCore
import TminusSystem

/// The environment of a program: an explicit list, so that no secret of the daemon reaches a hook by accident.
///
/// The daemon passes on only the variables of ``inherited`` and the locale (`LC_*`), as they were when it started its first program.
/// ``DaemonPlace`` adds `TMINUS_STATE` and `TMINUS_SOCKET`. The `environment` option comes next, then `TMINUS_*` of the delivery. The last
/// of several values for one name wins.
enum ProgramVariables {
    /// The variables by which a hook finds programs, its user, language, zone and session.
    static let inherited = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "XDG_RUNTIME_DIR",
        "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY",
    ]
    /// locale(7).
    private static let locale = [
        "LC_ALL", "LC_ADDRESS", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_MESSAGES",
        "LC_MONETARY", "LC_NAME", "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE", "LC_TIME",
    ]
    /// The variables from the daemon's environment, which does not change while it runs.
    private static let daemon: [(name: String, value: [UInt8])] = (inherited + locale).compactMap { name in
        // As bytes, because a value need not be UTF-8.
        if let value = getenv(name) {
            return (name, Array(UnsafeRawBufferPointer(start: value, count: strlen(value))))
        }
        return name == "PATH" ? (name, Array(SystemNeedInspector.standardSearchPath.utf8)) : nil
    }

    /// The variables, each name once; without a delivery, none that describe one.
    static func block(_ own: [String: [UInt8]], _ delivery: Delivery? = nil) -> ProgramTexts {
        let told = delivery.map(CommandEnvironment.variables) ?? []
        let place = DaemonPlace.current?.variables ?? []
        var block = ProgramTexts(count: daemon.count + place.count + own.count + told.count, bytes: 2_048)
        for variable in daemon where own[variable.name] == nil { block.append(variable.name, variable.value) }
        for variable in place where own[variable.name] == nil { block.append(variable.name, variable.value) }
        for (name, value) in own where !told.contains(where: { $0.name == name }) { block.append(name, value) }
        for variable in told { block.append(variable.name, variable.value) }
        return block
    }
}

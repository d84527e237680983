import Glibc
import TminusCore

/// The environment of a program: an explicit rule, so that no secret of the daemon reaches a hook by accident.
///
/// From the daemon's environment come only the variables of ``inherited``, and the locale (`LC_*`), as they were when the first
/// program was started. Then come those of the `environment` option, then `TMINUS_*` of the delivery; of the same name the last
/// holds.
enum ProgramVariables {
    /// What a hook needs to find programs, its user, its language and zone, and the user's session.
    static let inherited = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "XDG_RUNTIME_DIR",
        "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY",
    ]
    /// locale(7).
    private static let locale = [
        "LC_ALL", "LC_ADDRESS", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_MESSAGES",
        "LC_MONETARY", "LC_NAME", "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE", "LC_TIME",
    ]
    /// What comes from the daemon's environment, which nothing changes while it runs.
    private static let daemon: [(name: String, value: [UInt8])] = (inherited + locale).compactMap { name in
        // Bytes, because a value need not be UTF-8.
        if let value = getenv(name) {
            return (name, Array(UnsafeRawBufferPointer(start: value, count: strlen(value))))
        }
        return name == "PATH" ? (name, Array("/usr/local/bin:/usr/bin:/bin".utf8)) : nil
    }

    /// `NAME=value`, each name once. Without a delivery there are no `TMINUS_*`.
    static func block(_ own: [String: [UInt8]], _ delivery: Delivery? = nil) -> ProgramTexts {
        let told = delivery.map(CommandEnvironment.variables) ?? []
        var block = ProgramTexts(count: daemon.count + own.count + told.count, bytes: 2_048)
        for variable in daemon where own[variable.name] == nil { block.append(variable.name, variable.value) }
        for (name, value) in own where !told.contains(where: { $0.name == name }) { block.append(name, value) }
        for variable in told { block.append(variable.name, variable.value.utf8) }
        return block
    }
}

import Glibc
import TminusCore

/// The environment of a program: an explicit rule, so that no secret of the daemon reaches a hook by accident.
///
/// From the daemon's environment come only the variables of ``inherited``, and the locale (`LC_*`). Then come those of
/// the `environment` option, then `TMINUS_*` of the delivery; of the same name the last holds.
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

    /// `NAME=value` with a NUL at the end, each name once. Without a delivery there are no `TMINUS_*`.
    static func block(_ own: [String: [UInt8]], _ delivery: Delivery? = nil) -> [[UInt8]] {
        var values: [String: [UInt8]] = [:]
        for name in inherited + locale {
            // Bytes, because a value need not be UTF-8.
            if let value = getenv(name) {
                values[name] = Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
            }
        }
        if values["PATH"] == nil { values["PATH"] = Array("/usr/local/bin:/usr/bin:/bin".utf8) }
        values.merge(own) { $1 }
        if let delivery {
            for (name, value) in CommandEnvironment.variables(for: delivery) { values[name] = Array(value.utf8) }
        }
        return values.map { name, value in Array(name.utf8) + [UInt8(ascii: "=")] + value + [0] }
    }
}

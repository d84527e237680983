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
    private static let daemon: [(name: String, text: [UInt8])] = (inherited + locale).compactMap { name in
        // Bytes, because a value need not be UTF-8.
        if let value = getenv(name) {
            return (name, text(name, UnsafeRawBufferPointer(start: value, count: strlen(value))))
        }
        return name == "PATH" ? (name, text(name, "/usr/local/bin:/usr/bin:/bin".utf8)) : nil
    }

    /// `NAME=value` with a NUL at the end, each name once. Without a delivery there are no `TMINUS_*`.
    static func block(_ own: [String: [UInt8]], _ delivery: Delivery? = nil) -> [[UInt8]] {
        let told = delivery.map(CommandEnvironment.variables) ?? []
        var block: [[UInt8]] = []
        block.reserveCapacity(daemon.count + own.count + told.count)
        for variable in daemon where own[variable.name] == nil { block.append(variable.text) }
        for (name, value) in own where !told.contains(where: { $0.name == name }) { block.append(text(name, value)) }
        for variable in told { block.append(text(variable.name, variable.value.utf8)) }
        return block
    }

    private static func text(_ name: String, _ value: some Collection<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(name.utf8.count + value.count + 2)
        text.append(contentsOf: name.utf8)
        text.append(UInt8(ascii: "="))
        text.append(contentsOf: value)
        text.append(0)
        return text
    }
}

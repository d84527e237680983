internal import Glibc

/// The environment with which a process was started (proc(5), /proc/PID/environ).
package enum ProcessEnvironment {
    /// The variables; nil if there is no such process, or this user may not see them.
    package static func of(_ process: Int32) -> [String: String]? {
        guard let bytes = FileBytes.read("/proc/\(process)/environ", limit: 4 << 20), !bytes.isEmpty else { return nil }
        return bytes.split(separator: 0).reduce(into: [:]) { variables, entry in
            let parts = entry.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first, let value = parts.dropFirst().first else { return }
            variables[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
        }
    }

    /// Whether a process runs a program of the same name as this one. A daemon in a container has another number outside of it.
    package static func isSameProgram(_ process: Int32) -> Bool {
        let name = FileBytes.read("/proc/\(process)/comm", limit: 64)
        return name != nil && name == FileBytes.read("/proc/self/comm", limit: 64)
    }

    /// The user of a process; nil if there is none, or it is hidden.
    package static func user(of process: Int32) -> UInt32? { FileAccess(at: "/proc/\(process)")?.owner }
}

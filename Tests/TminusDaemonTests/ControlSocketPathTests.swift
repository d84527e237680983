import Foundation
import Glibc
import Testing
import TminusSystem

@testable import TminusDaemon

@Suite("Choice of the control socket")
struct ControlSocketPathTests {
    /// A socket that accepts connections until this value goes.
    private final class Listener {
        private let descriptor: CInt
        private let path: String

        init(_ directory: String) throws {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            path = "\(directory)/control.sock"
            descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let isBound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
            try #require(isBound && listen(descriptor, 8) == 0)
        }

        deinit { close(descriptor) }
    }

    private func chosen(_ paths: MachinePaths, socket: String? = nil, state: String? = nil) -> String {
        ControlSocketPath.path(.init(socket, state, paths))
    }

    @Test("without options it is the first socket that is served, those of a system service last")
    func standard() throws {
        let root = NSTemporaryDirectory() + "tm-" + UUID().uuidString.prefix(8)
        defer { try? FileManager.default.removeItem(atPath: root) }
        let environment = ["HOME": root, "XDG_RUNTIME_DIR": "\(root)/session"]
        let paths = MachinePaths(
            environment: environment, systemStateDirectory: "\(root)/lib", systemRuntimeDirectory: "\(root)/run")
        #expect(chosen(paths) == "\(root)/session/tminus/control.sock", "nothing is there yet")
        // A socket that a killed daemon left behind.
        do { _ = try Listener("\(root)/session/tminus") }
        #expect(chosen(paths) == "\(root)/session/tminus/control.sock")
        let state = try Listener("\(root)/lib")
        #expect(chosen(paths) == "\(root)/lib/control.sock", "StateDirectory= alone")
        let runtime = try Listener("\(root)/run")
        #expect(chosen(paths) == "\(root)/run/control.sock")
        let own = try Listener("\(root)/.local/state/tminus")
        #expect(chosen(paths) == "\(root)/.local/state/tminus/control.sock")
        withExtendedLifetime((state, runtime, own)) {}
    }

    @Test("root means the state of the system service, unless it has one of its own or names one")
    func stateOfRoot() throws {
        let root = NSTemporaryDirectory() + "tm-" + UUID().uuidString.prefix(8)
        defer { try? FileManager.default.removeItem(atPath: root) }
        func state(isRoot: Bool, _ others: [String: String] = [:]) -> String? {
            MachinePaths(
                environment: others.merging(["HOME": root]) { $1 }, systemStateDirectory: "\(root)/lib", isRoot: isRoot
            ).stateDirectory
        }
        let own = "\(root)/.local/state/tminus"
        #expect(state(isRoot: true) == own, "there is no service")
        try FileManager.default.createDirectory(atPath: "\(root)/lib", withIntermediateDirectories: true)
        #expect(state(isRoot: true) == "\(root)/lib")
        #expect(state(isRoot: false) == own)
        #expect(state(isRoot: true, ["TMINUS_STATE": "/e/state"]) == "/e/state")
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        #expect(state(isRoot: true) == own)
    }

    @Test("a socket that a killed daemon of the user left does not hide the system's, which only its own user may use")
    func foreign() throws {
        let root = NSTemporaryDirectory() + "tm-" + UUID().uuidString.prefix(8)
        defer { try? FileManager.default.removeItem(atPath: root) }
        let paths = MachinePaths(
            environment: ["HOME": root, "XDG_RUNTIME_DIR": "\(root)/session"], systemStateDirectory: "\(root)/lib",
            systemRuntimeDirectory: "\(root)/run")
        do { _ = try Listener("\(root)/session/tminus") }
        let system = try Listener("\(root)/run")
        #expect(chmod("\(root)/run/control.sock", 0) == 0)
        // For root no socket is forbidden; then it is one that is served.
        #expect(chosen(paths) == "\(root)/run/control.sock")
        withExtendedLifetime(system) {}
    }

    @Test("options win over the environment, which wins over the standard places")
    func choices() {
        let paths = MachinePaths(environment: ["HOME": "/h", "TMINUS_SOCKET": "/e/s", "TMINUS_STATE": "/e/state"])
        #expect(chosen(paths) == "/e/s")
        #expect(chosen(paths, state: "/o/state") == "/o/state/control.sock")
        #expect(chosen(paths, socket: "/o/s") == "/o/s")
        #expect(chosen(paths, socket: "/o/s", state: "/o/state") == "/o/s")
        let state = MachinePaths(environment: ["HOME": "/h", "TMINUS_SOCKET": "", "TMINUS_STATE": "/e/state"])
        #expect(chosen(state) == "/e/state/control.sock")
        #expect(state.stateDirectory == "/e/state")
    }
}

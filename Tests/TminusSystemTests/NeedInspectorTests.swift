import Foundation
import Glibc
import Testing
import TminusCore

@testable import TminusSystem

@Suite("Looking for what sinks need")
struct NeedInspectorTests {
    private let directory: String

    init() throws {
        directory = NSTemporaryDirectory() + "tminus-needs-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for (name, mode) in [("hook.sh", 0o755), ("plain.sh", 0o644), ("a b", 0o755)] {
            try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
            try #require(chmod("\(directory)/\(name)", mode_t(mode)) == 0)
        }
    }

    private func problem(
        _ thing: SinkNeed.Thing, environment: [String: String] = ["PATH": "/usr/bin:/bin"], isDaemon: Bool = true
    ) -> String? {
        let problem = SystemNeedInspector(environment: environment, isDaemon: isDaemon).problem(of: thing)
        if FileManager.default.fileExists(atPath: directory) { try? FileManager.default.removeItem(atPath: directory) }
        return problem?.replacing(directory, with: "DIR")
    }

    @Test(
        "a program with a slash is at its path, and may be executed",
        arguments: [
            ("./hook.sh", nil), ("./a b", nil),
            ("./plain.sh", "the program 'DIR/./plain.sh' may not be executed; try 'chmod +x'"),
            ("./gone.sh", "there is no program 'DIR/./gone.sh'"), ("../", "the program 'DIR/../' is a directory"),
            (
                "./hook.sh --all",
                "there is no program 'DIR/./hook.sh --all'; write a program and its arguments as a list, [./hook.sh, --all], or use 'shell'"
            ),
        ] as [(String, String?)])
    func paths(name: String, expected: String?) {
        #expect(problem(.program(name, directory: directory)) == expected)
    }

    @Test("a name is looked up in the PATH of the sink, else in that of the environment, else in the standard one")
    func searchPath() {
        #expect(problem(.program("sh", directory: "/")) == nil)
        #expect(problem(.program("sh", directory: "/"), environment: [:]) == nil)
        #expect(
            problem(.program("sh", directory: "/", searchPath: "/nowhere"))
                == "there is no program 'sh' in PATH (/nowhere)")
        #expect(problem(.program("sh", directory: "/bin", searchPath: ".")) == nil)
    }

    @Test("variables are in the environment, and not empty")
    func variables() {
        #expect(problem(.variable("A"), environment: ["A": "x"]) == nil)
        #expect(problem(.variable("A"), environment: [:]) == "the variable 'A' is not set in the environment of tminus")
        #expect(problem(.variable("A"), environment: ["A": ""])?.contains("is empty") == true)
    }

    @Test("files can be read, and directories exist")
    func files() {
        let inspector = SystemNeedInspector(environment: [:], isDaemon: true)
        #expect(inspector.problem(of: .file("\(directory)/hook.sh")) == nil)
        #expect(
            inspector.problem(of: .file("\(directory)/gone"))?
                .hasSuffix("/gone' cannot be read: No such file or directory") == true)
        #expect(inspector.problem(of: .file(directory))?.hasSuffix("is not a regular file") == true)
        #expect(inspector.problem(of: .directory(directory)) == nil)
        #expect(
            inspector.problem(of: .directory("\(directory)/gone"))
                == "the directory '\(directory)/gone' does not exist; make it")
        #expect(inspector.problem(of: .directory("\(directory)/hook.sh"))?.hasSuffix("is not a directory") == true)
        #expect(inspector.problem(of: .writableDirectory(directory)) == nil)
        #expect(inspector.problem(of: .writableDirectory("\(directory)/gone"))?.contains("does not exist") == true)
        #expect(inspector.problem(of: .secretFile("\(directory)/hook.sh")) == nil)
        #expect(problem(.directory("/")) == nil)
    }

    @Test("a directory that only the service sees is no place for files of others")
    func privateDirectories() {
        let place = directory.replacing("//", with: "/")
        let mounts = MountTable(
            Array("41 27 0:1 /systemd-private-1/tmp \(MachinePaths.absolute(place)) rw - ext4 x rw".utf8))
        let inspector = SystemNeedInspector(environment: [:], isDaemon: true, mounts: mounts)
        #expect(inspector.problem(of: .directory(place)) == nil)
        #expect(
            inspector.problem(of: .writableDirectory(place))
                == "no other program sees what is written to '\(place)': the service has it for itself (PrivateTmp=)")
        #expect(problem(.directory("/")) == nil)
        #expect(inspector.problem(of: .directory("\(place)/gone"))?.contains("PrivateTmp=") == true)
    }

    @Test("credentials are known to the daemon only, unless there are some")
    func credentials() {
        #expect(problem(.credential("chat"), environment: [:])?.contains("systemd passed none on") == true)
        #expect(problem(.credential("chat"), environment: [:], isDaemon: false) == nil)
        #expect(
            problem(.credential("chat"), environment: ["CREDENTIALS_DIRECTORY": "/nowhere"], isDaemon: false)?
                .hasPrefix("the credential 'chat' is not there") == true)
    }

    @Test("an inspection reports what is missing, and ends")
    func inspecting() async {
        let inspector = SystemNeedInspector(environment: ["A": "x"], isDaemon: true)
        let problems = await withCheckedContinuation { continuation in
            inspector.inspect([.variable("A"), .variable("B")]) { continuation.resume(returning: $0) }
        }
        #expect(Array(problems.keys) == [.variable("B")])
    }
}

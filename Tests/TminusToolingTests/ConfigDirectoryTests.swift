import Testing

@testable import TminusTooling

@Suite("Config directories")
struct ConfigDirectoryTests {
    @Test("a directory that is named is absolute, shown as it was written, and need not exist")
    func named() throws {
        let missing = try ConfigDirectory("/no/such/directory/")
        #expect(missing.path == "/no/such/directory/" && missing.shown == "/no/such/directory/")
        #expect(throws: ToolError(.inputOutput, "/no/such/directory/: there is no such directory")) {
            try missing.requireExistence()
        }
        let present = try ConfigDirectory(".")
        #expect(present.path.hasPrefix("/") && present.shown == ".")
        try present.requireExistence()
    }

    @Test("an empty name and a file are wrong options")
    func wrong() throws {
        let directory = try TemporaryDirectory(["a.yaml": ""])
        let file = "\(directory.path)/a.yaml"
        #expect(throws: ToolError(.usage, "--config must not be empty")) { try ConfigDirectory("") }
        #expect(
            throws: ToolError(.usage, "\(file): is not a directory; give the directory with the definitions")
        ) { try ConfigDirectory(file) }
    }
}

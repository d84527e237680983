import Testing
import TminusCore
import TminusDefinitions

@testable import TminusSinks

@Suite("Needs of sinks")
struct SinkNeedTests {
    /// The needs of a sink, each with the column of the first line that names it, and what is wrong with the sink.
    private func needs(
        _ yaml: String, in directory: String = "/etc/tminus", config: String? = "/etc/tminus"
    ) throws -> (needs: [SinkNeed.Thing], columns: [Int], problems: [String]) {
        let read = DocumentReader.read(Array(yaml.utf8), path: "test.yaml")
        let root = try #require(read.root)
        guard case .mapping(let entries) = root.content else { return ([], [], ["not a mapping"]) }
        let registry = SinkRegistry(StandardSinks.kinds)
        let kind = try #require(entries.first { registry[$0.key] != nil }?.key)
        let spec = SinkSpec(name: nil, kind: kind, options: root, directory: directory)
        if let config {
            _ = registry.make(read: spec, root: config, reporting: read.diagnostics)
        } else {
            _ = registry.make(spec, root: "/", reporting: read.diagnostics)
        }
        return (
            read.diagnostics.needs.map(\.thing), read.diagnostics.needs.map(\.range.start.column),
            read.diagnostics.diagnostics.map(\.message)
        )
    }

    @Test("a command needs its program, its working directory and its secrets")
    func commands() throws {
        let shell = try needs("{ shell: ./hook.sh --all, directory: ../work, environment: { T: { env: TOKEN } } }")
        #expect(
            shell.needs == [
                .directory("/etc/tminus/../work"), .variable("TOKEN"),
                .program("./hook.sh", directory: "/etc/tminus/../work"),
            ])
        #expect(shell.columns == [38, 72, 10] && shell.problems == [])
        let exec = try needs("{ exec: [notify-send, done], environment: { PATH: /opt/bin } }")
        #expect(exec.needs == [.program("notify-send", directory: "/etc/tminus", searchPath: "/opt/bin")])
        #expect(exec.columns == [10])
        #expect(try needs("exec: ./x.sh --all").needs == [.program("./x.sh --all", directory: "/etc/tminus")])
        let plugin = try needs("{ plugin: ./notify.py, environment: { T: { file: token } } }")
        #expect(
            plugin.needs == [
                .secretFile("/etc/tminus/token"), .program("/etc/tminus/./notify.py", directory: "/etc/tminus"),
            ])
    }

    @Test("a webhook needs its secrets and its certificates, a webhook-file its directory")
    func webhooks() throws {
        let hook = try needs(
            "{ webhook: { credential: url }, secret: [{ env: A }, { env: A }], headers: { X: { file: /run/x } }, ca-file: ca }"
        )
        #expect(
            Set(hook.needs) == [.credential("url"), .variable("A"), .secretFile("/run/x"), .file("/etc/tminus/ca")])
        #expect(hook.needs.count == 4, "each thing once")
        #expect(try needs("webhook-file: ../var/out.ndjson").needs == [.writableDirectory("/etc/tminus/../var")])
        #expect(try needs("webhook-file: { directory: /srv/drop }").needs == [.writableDirectory("/srv/drop")])
        #expect(try needs("webhook: https://example.com/").needs == [])
    }

    @Test(
        "the program of a command line is its first word, if the shell does not handle that itself",
        arguments: [
            ("./hook.sh --all", "./hook.sh", 0..<9), ("  /usr/bin/env x", "/usr/bin/env", 2..<14),
            ("'./my hook.sh' a", "./my hook.sh", 0..<14), ("\"./my hook.sh\"", "./my hook.sh", 0..<14),
            ("./a;./b", "./a", 0..<3), ("./a && ./b", "./a", 0..<3), ("./a|b", "./a", 0..<3),
            ("notify-send done", "notify-send", 0..<11), ("\n./a\n./b", "./a", 1..<4),
        ] as [(String, String, Range<Int>)])
    func words(line: String, name: String, place: Range<Int>) throws {
        let found = try #require(ShellLine.program(of: line))
        #expect(found.name == name && found.place == place)
    }

    @Test(
        "of a builtin, a variable, a pattern, an assignment, a function or a redirection no program is known",
        arguments: [
            "", "  ", "cd /tmp && ./a", "echo hello", "if true; then ./a; fi", "$HOME/a", "\"$HOME/a\"", "`which a`",
            "~/a", "./*.sh", "A=1 ./a", "f() { ./a; }; f", "f () { ./a; }; f", "> out ./a", "2>&1 ./a", "(./a)",
            "{ ./a; }",
            "! ./a", "# nothing", "'./a", "\\ls", "[ -f a ]", ". ./a", "exec ./a",
        ])
    func unknown(line: String) {
        #expect(ShellLine.program(of: line) == nil)
    }

    @Test(
        "payloads that tminus would read as definitions are an error of the sink",
        arguments: [
            ("webhook-file: { directory: ./drop }", true), ("webhook-file: { directory: . }", true),
            ("webhook-file: { directory: /etc/tminus/a/../b }", true), ("webhook-file: out.json", true),
            ("webhook-file: sub/out.YAML", true), ("webhook-file: { directory: ../drop }", false),
            ("webhook-file: { directory: /etc/tminus-drop }", false), ("webhook-file: { directory: ./.drop }", false),
            ("webhook-file: out.ndjson", false), ("webhook-file: ../out.json", false),
            ("webhook-file: .out.json", false),
        ])
    func misplaced(yaml: String, isError: Bool) throws {
        let inside = try needs(yaml).problems
        #expect(inside.count == (isError ? 1 : 0), "\(inside)")
        if isError { #expect(inside[0].contains("inside the config directory")) }
        #expect(try needs(yaml, config: nil).problems == [], "a sink that is made for a delivery")
    }
}

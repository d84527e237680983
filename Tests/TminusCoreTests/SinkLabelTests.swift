import Testing

@testable import TminusCore

@Suite("Labels of sinks inside actions")
struct SinkLabelTests {
    private func label(_ kind: String, _ value: Node.Content, place: String? = "a.yaml:3") -> String {
        let options = Node(.mapping([Node.Entry(key: kind, value: Node(value))]))
        return SinkSpec.label(kind: kind, options: options, place: place)
    }

    @Test(
        "the first words of a command, up to what may be a secret",
        arguments: [
            ("./hooks/launch.sh", "shell './hooks/launch.sh' (a.yaml:3)"),
            ("exit 75", "shell 'exit 75' (a.yaml:3)"),
            ("TOKEN=abc ./send.sh now", "shell './send.sh now' (a.yaml:3)"),
            ("curl -H 'Authorization: Bearer abc'", "shell 'curl' (a.yaml:3)"),
            ("curl https://user:abc@example.com", "shell 'curl' (a.yaml:3)"),
            ("echo $TOKEN", "shell 'echo' (a.yaml:3)"),
            ("'/opt/my hook' abc", "shell (a.yaml:3)"),
            ("first line\nsecond", "shell 'first line second' (a.yaml:3)"),
            (
                "/a/program/with/a/very/long/path/to/its/file",
                "shell '/a/program/with/a/very/long/path/to/i...' (a.yaml:3)"
            ),
        ])
    func command(_ text: String, _ expected: String) {
        #expect(label("shell", .scalar(text)) == expected)
    }

    @Test(
        "the host of a URL, without user, port, path and query",
        arguments: [
            ("https://hooks.example.com/services/abc?key=abc", "hooks.example.com"),
            ("https://user:abc@example.com:8080/", "example.com"), ("http://[::1]:80/x", "[::1]"),
        ])
    func host(_ text: String, _ expected: String) {
        #expect(label("webhook", .scalar(text)) == "webhook '\(expected)' (a.yaml:3)")
    }

    @Test("nothing of a secret reference, and no place without a file")
    func rest() {
        let secret = Node(.mapping([Node.Entry(key: "env", value: Node(.scalar("TOKEN")))]))
        #expect(label("webhook", secret.content) == "webhook (a.yaml:3)")
        let words = [Node(.scalar("./a")), secret, Node(.scalar("b"))]
        #expect(label("exec", .sequence(words)) == "exec './a' (a.yaml:3)")
        #expect(label("stdout", .null, place: nil) == "stdout")
    }

    @Test("a label changes neither the key nor the revision")
    func key() {
        let options = Node(.mapping([Node.Entry(key: "shell", value: Node(.scalar("true")))]))
        let plain = SinkSpec(name: nil, kind: "shell", options: options, directory: "/")
        var labelled = plain
        labelled.label = "shell 'true' (a.yaml:3)"
        #expect(labelled.key == plain.key && labelled.revision == plain.revision)
        #expect(plain.title == plain.key.rawValue)
        #expect(labelled.title == "shell 'true' (a.yaml:3)")
        labelled.name = "hook"
        #expect(labelled.title == "hook")
    }

    @Test(
        "a sink is made with the absolute directory of its file",
        arguments: [("", "/root"), ("sub/dir", "/root/sub/dir"), ("/other", "/other")])
    func directory(_ relative: String, absolute: String) {
        let spec = SinkSpec(name: nil, kind: "shell", options: Node(.mapping([])), directory: relative)
        #expect(spec.directory(in: "/root") == absolute)
    }
}

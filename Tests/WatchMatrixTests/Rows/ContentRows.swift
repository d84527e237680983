import TminusCore
import TminusTestKit
import WatchTestSupport

extension Row {
    /// Rows 30 to 32 and 34: content that is wrong, and names that are odd.
    static let contents = errors + brokenStarts + prefixes + names

    /// Nothing else changes, and one problem says this.
    private static func stale(_ problem: String) -> Expectation {
        Expectation(problems: [problem])
    }

    /// Row 30. Each is broken, another file is edited meanwhile, and it is mended.
    private static let errors: [Row] = [
        ("a syntax error", "timers: [\\n", "a.yaml:2:1: a value is expected here"),
        ("a missing colon", "timers:\\n  a\\n    name: new\\n", "a.yaml:"),
        ("a tab for indentation", "timers:\\n\\ta: { duration: 2h }\\n", "a.yaml:2:"),
        ("a missing unit", "timers:\\n  a:\\n    duration: 2\\n", "a.yaml:3:15: 'duration': '2' has no unit"),
        ("a wrong type", "timers:\\n  a: 5\\n", "a.yaml:2:6: a timer must be a mapping"),
        ("a list for a value", "timers:\\n  a: { duration: [1] }\\n", "a.yaml:2:18: 'duration' must be a single value"),
        ("an unknown key", "timers:\\n  a: { duratoin: 2h }\\n", "a.yaml:2:8: unknown key 'duratoin'"),
        ("a missing key", "timers:\\n  a: { name: new }\\n", "a.yaml:2:3: a timer needs the key 'duration'"),
        ("an alias", "timers:\\n  a: &x { duration: 2h }\\n  d: *x\\n", "a.yaml:2:6: anchors are not supported"),
        ("JSON in a .yaml file, cut off", "{\"timers\": {\"a\": {\"duration\": \"2h\"", "a.yaml:"),
    ].map { title, text, problem in
        .row(
            30, "\(title), an edit elsewhere, and the fix",
            steps: [
                Step("printf '\(text)' > t/a.yaml", stale(problem)),
                Step("{ item b other; more c c; } > t/b.yaml", stale(problem).with { $0.sets = ["b": "other"] }),
                Step("item a new > t/a.yaml", .changed),
            ], modes: .both, quick: title == "an unknown key")
    }

    private static let brokenStarts: [Row] = [
        .row(
            31, "broken at the start, and mended",
            steps: [
                Step(":", Expectation(reloads: 0...0, problems: ["a.yaml:1:9: "])),
                Step("item a new > t/a.yaml", .sets(["a": "new"])),
            ], modes: .both, quick: true, after: standardPlace + "; printf 'timers: 5\\n' > t/a.yaml",
            items: ["b": "b", "c": "c"]),
        .program(
            31, "broken while it runs, and started again: the last good content goes on",
            """
            daemon
            live ' a: old has ended'
            printf 'timers: [\\n' > t/a.yaml
            said 'a.yaml:2:1: error'
            finish
            : > out
            daemon
            said 'a.yaml:2:1: error'
            live ' a: old has ended'
            live ' b: b has ended'
            expiring a new 1 > t/a.yaml
            live ' a: new has ended'
            finish
            """, after: "mkdir t; expiring a old 1 > t/a.yaml; expiring b b 1 > t/b.yaml"),
        .program(
            31, "all files broken at the start with --strict: refused, and said why",
            """
            code=0
            "$TMINUS" run --config t --state s --strict > out 2> err || code=$?
            [ "$code" = 65 ]
            grep -q 'a.yaml:2:1: error' err
            grep -q 'not started, because of --strict' err
            """, after: "mkdir t; printf 'timers: [\\n' > t/a.yaml"),
    ]

    /// Row 32. Each prefix is left on the disk until it is in force or found to be broken.
    private static let prefixes: [Row] = [
        (
            "YAML", "a.yaml",
            "timers:\n  # A comment.\n  a:\n    name: old\n    labels: { one: \"1\" }\n    duration: 2 hours\n"
        ),
        (
            "JSON", "a.json",
            "{\"timers\": {\n  \"a\": {\"name\": \"old\", \"labels\": {}, \"duration\": \"2 hours\"}\n}}\n"
        ),
    ].map { kind, file, text in
        .row(
            32, "\(kind) cut off at every byte, in place",
            steps: [
                Step(
                    Expectation(
                        reloads: 1...1_000, mayVanish: ["a"], mayComplain: true)
                ) { scene in
                    for length in 0...text.utf8.count {
                        let piece = String(decoding: Array(text.utf8).prefix(length), as: UTF8.self)
                        try scene.place.write(piece, to: "t/\(file)")
                        let digest = SourceFile(path: "", content: .bytes(Array(piece.utf8))).digest
                        let isSeen = await scene.states.wait(upTo: Bounded.limit) { states in
                            states.last?.digests[file] == digest
                        }
                        guard isSeen else { throw ScriptFailure(text: "the first \(length) bytes are not in force") }
                        guard scene.last?.items["b"] == "b", scene.last?.items["c"] == "c" else {
                            throw ScriptFailure(text: "b or c is lost at \(length) bytes of the other file")
                        }
                    }
                }
            ], after: "mkdir t; printf '%s' '\(text)' > t/\(file); { item b b; more c c; } > t/b.yaml")
    }

    private static let names: [Row] = [
        .row(
            34, "names of odd bytes: each is read, and each edit is seen",
            steps: [
                Step(
                    "odd; i=0; for n in $odd; do i=$((i + 1)); item \"o$i\" new > \"t/$(printf -- \"$n\").yaml\"; done",
                    .sets(Dictionary(uniqueKeysWithValues: (1...8).map { ("o\($0)", "new") }), reloads: 1...8)),
                Step(
                    "printf 'timers: 5\\n' > \"t/$(printf 'b\\377').yaml\"",
                    Expectation(problems: ["b\\xff.yaml:1:9: "])),
                Step("rm \"t/$(printf 'b\\377').yaml\"", .removes(["o3"])),
                Step(
                    "printf 'timers: 5\\n' > \"t/$(printf 'c\\nd').yaml\"",
                    Expectation(problems: ["c\\u{a}d.yaml:1:9: "])),
            ], modes: .both,
            after:
                "mkdir t; odd; i=0; for n in $odd; do i=$((i + 1)); item \"o$i\" old > \"t/$(printf -- \"$n\").yaml\"; done",
            items: Dictionary(uniqueKeysWithValues: (1...8).map { ("o\($0)", "old") })),
        .row(
            34, "a name of 255 bytes",
            steps: [Step("item a new > \"t/$(printf 'n%.0s' $(seq 250)).yaml\"", .changed)], modes: .both,
            after: "mkdir t; item a old > \"t/$(printf 'n%.0s' $(seq 250)).yaml\"", items: ["a": "old"]),
    ]
}

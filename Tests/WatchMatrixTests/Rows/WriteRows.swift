import TminusWatch

extension Row {
    /// Rows 1 to 6: writing in place, at once and slowly.
    static let writes: [Row] =
        [
            .row(1, "cat > file", "item a new | cat > t/a.yaml", modes: .both).with { $0.quickModes = .both },
            .row(1, "tee", "item a new | tee t/a.yaml > .null", modes: .both),
            .row(1, "cp over", "item a new > x; cp x t/a.yaml", modes: .both),
            .row(
                1, "Python open 'w'",
                "item a new | python3 -c 'import sys; open(\"t/a.yaml\", \"w\").write(sys.stdin.read())'",
                modes: .both, needs: .tools("python3")),
            .row(
                1, "Python write_text", "item a new | saves write-text t/a.yaml", modes: .both, needs: .tools("python3")
            ),
            .row(
                1, "curl -o", "item a new > x; curl -s -o t/a.yaml \"file://$PLACE/x\"", modes: .both,
                needs: .tools("curl")),
            .row(1, "cat > new file", "item n new > t/n.yaml", .sets(["n": "new"]), modes: .both),
            .row(
                2, ">> of a complete item", "more n new >> t/a.yaml", .sets(["n": "new"]), modes: .both, quick: true),
            .row(
                3, "400 KB in chunks of 8 KB",
                "{ item a new; i=0; while [ $i -lt 4000 ]; do printf '# %0100d\\n' $i; i=$((i + 1)); done; } > x; saves chunks t/a.yaml 8192 < x",
                // Most of it is the parser of a debug build.
                .changed.with { $0.latency = .seconds(2) }, modes: .both, needs: .tools("python3")),
        ] + slowWrites + openWrites

    /// Three timers in one file. Written in three parts, each prefix is a valid file in which timers are missing.
    private static let three =
        "mkdir t; { item a old; more d old; more e old; } > t/a.yaml; { item b b; more c c; } > t/b.yaml"
    private static let threeItems = ["a": "old", "d": "old", "e": "old", "b": "b", "c": "c"]

    private static func parts(_ gap: String) -> String {
        // The gaps between the parts are what the rows try.
        "{ item a new; sleep \(gap); more d new; sleep \(gap); more e new; } > t/a.yaml"
    }

    private static let slowWrites: [Row] = [
        .row(
            4, "3 chunks × 30 ms", parts("0.03"), .sets(["a": "new", "d": "new", "e": "new"]), modes: .both,
            quick: true,
            after: three, items: threeItems),
        .row(
            4, "3 chunks × 200 ms", parts("0.2"), .sets(["a": "new", "d": "new", "e": "new"]), modes: .both,
            after: three, items: threeItems),
        .row(
            4, "3 chunks × 1.5 s", parts("1.5"), .sets(["a": "new", "d": "new", "e": "new"]), after: three,
            items: threeItems),
        // Polling sees sizes and times, not that a writer has the file open.
        .row(
            4, "3 chunks × 1.5 s (polled: parts are seen, timers resume)", parts("1.5"),
            .sets(["a": "new", "d": "new", "e": "new"], reloads: 1...3).with { $0.mayVanish = ["d", "e"] },
            modes: [.poll], after: three, items: threeItems),
    ]

    // How long the file is open is what the rows try.
    private static let openWrites: [Row] = [
        .row(
            5, "complete, and kept open for 10 s",
            steps: [
                Step(
                    "{ { item a new; sleep 10; } > t/a.yaml; : > closed; } &",
                    .changed.with { $0.latency = .milliseconds(2_200) }),
                Step("await test -e closed", .nothing),
            ], modes: .both),
        .row(
            6, "half, valid, kept open for 3 s",
            "{ item a new; sleep 3; more d new; more e new; } > t/a.yaml",
            .sets(["a": "new", "d": "new", "e": "new"], reloads: 1...2).with { $0.mayVanish = ["d", "e"] },
            modes: .both, after: three, items: threeItems),
        .row(
            6, "half, invalid, kept open for 3 s",
            "{ printf 'timers: { a: {'; sleep 3; printf ' name: new, duration: 2 hours } }\\n'; } > t/a.yaml",
            .sets(["a": "new"], reloads: 1...2).with { $0.mayComplain = true }, modes: .both),
    ]
}

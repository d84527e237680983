extension Row {
    /// Rows 42 to 45: ids that are there twice, and what edits do to timers that run.
    static let states = duplicates + firing + schedules + [countdowns]

    private static let twice = "the id 'a' is defined in another file already"

    private static let duplicates: [Row] = [
        .row(
            42, "an id in two files: the first holder stays, until it gives the id up",
            steps: [
                Step("item a second > t/0.yaml", Expectation(problems: ["0.yaml:2:3: \(twice)"])),
                Step("item a third > t/0.yaml", Expectation(problems: ["0.yaml:2:3: \(twice)"])),
                Step("item a new > t/a.yaml", Expectation(sets: ["a": "new"], problems: ["0.yaml:2:3: \(twice)"])),
                Step("rm t/a.yaml", .sets(["a": "third"])),
                Step("item a late > t/a.yaml", Expectation(problems: ["a.yaml:2:3: \(twice)"])),
                Step("rm t/a.yaml", .nothing.with { $0.reloads = 1...1 }),
            ], modes: .both, quick: true),
        .row(
            42, "an id in two files, and the second gives it up",
            steps: [
                Step("item a second > t/d.yaml", Expectation(problems: ["d.yaml:2:3: \(twice)"])),
                Step("item d second > t/d.yaml", .sets(["d": "second"])),
            ], modes: .both),
        .row(
            42, "an id in two files at the start: the first path has it",
            steps: [
                Step(":", Expectation(reloads: 0...0, problems: ["d.yaml:2:3: \(twice)"])),
                Step("item d d > t/a.yaml", .sets(["a": "second", "d": "d"])),
                Step("item a new > t/d.yaml", .sets(["a": "new"])),
            ], modes: .both, after: standardPlace + "; item a second > t/d.yaml"),
        .row(
            42, "an id twice in one file",
            steps: [
                Step(
                    "{ item a new; more a newer; } > t/a.yaml",
                    Expectation(problems: ["a.yaml:5:3: the key 'a' is here for"])),
                Step("item a newer > t/a.yaml", .sets(["a": "newer"])),
            ], modes: .both),
        .row(
            42, "an id as a timer and as an event",
            steps: [
                Step(
                    "printf 'events: { a: { at: 2100-01-01 12:00 } }\\n' > t/d.yaml",
                    Expectation(problems: ["d.yaml:1:11: \(twice)"])),
                Step("rm t/d.yaml", .nothing.with { $0.reloads = 1...1 }),
            ], modes: .both),
    ]

    private static let firing: [Row] = [
        .program(
            43, "1,000 reloads while 40 timers end: each ends once, at the time it had before",
            """
            daemon
            # The store tells a shell nothing: ask again.
            until [ "$(sqlite3 -readonly s/tminus.sqlite 'SELECT count(*) FROM schedule' || true)" = 41 ]; do sleep 0.1; done
            all='SELECT definition, start, deadline FROM schedule ORDER BY definition'
            sqlite3 -readonly -cmd '.timeout 5000' s/tminus.sqlite "$all" > before
            i=0
            while [ $i -lt 1000 ]; do
                i=$((i + 1))
                item z "n$i" > t/.z; mv t/.z t/z.yaml
                kill -HUP "$daemon"
                # The rate, so that the reloads last until all timers have ended.
                sleep 0.009
            done
            live ' t40: t40 has ended'
            sqlite3 -readonly -cmd '.timeout 5000' s/tminus.sqlite "$all" > after
            cmp before after
            [ "$(grep -c 'has ended' out)" = 40 ]
            [ "$(grep -o ' t[0-9]*: ' out | sort -u | wc -l)" = 40 ]
            [ "$(sqlite3 -readonly -cmd '.timeout 5000' s/tminus.sqlite "SELECT count(*) FROM delivery")" = 40 ]
            finish
            """, needs: .tools("sqlite3"),
            after: """
                mkdir t; item z z > t/z.yaml
                { echo 'timers:'; for i in $(seq 40); do echo "  t$i: { duration: $((2000 + i * 250))ms }"; done; } > t/t.yaml
                """),
        .program(
            43,
            "a command edits the file of its own timer and asks for a reload: no second firing, and the timer goes on",
            """
            daemon
            echo "$daemon" > t/pid
            live ' a: edited has ended'
            i=0
            # A file tells a shell nothing: look again.
            until [ "$(grep -c . t/ran)" -ge 4 ]; do sleep 0.05; done
            finish
            sort t/ran | uniq -d > double
            [ ! -s double ]
            """,
            after: """
                mkdir t
                cat > t/edit.sh <<'END'
                echo "$TMINUS_DELIVERY" >> ran
                sed -i s/old/edited/ a.yaml
                kill -HUP "$(cat pid)"
                # It runs on while the reload that it asked for is done.
                sleep 0.3
                END
                cat > t/a.yaml <<'END'
                timers:
                  a: { name: old, duration: 1s, repeat: after-action, on-expiry: [stdout, { shell: "sh edit.sh" }] }
                END
                """),
    ]

    private static let schedules: [Row] = [
        .program(
            44,
            "edits of schedules to the past and back to the future, and just before they are due: none fires what is past",
            """
            at() { date -u -d "$1" +%Y-%m-%dT%H:%M:%SZ; }
            event() { printf 'events:\\n  e: { at: %s }\\n' "$1" > t/.e; mv t/.e t/e.yaml; }
            event "$(at '+1 hour')"
            daemon
            event "$(at '-1 hour')"
            said 'definition.id=e'
            event "$(at '+1 hour')"
            said_times 2 'definition.id=e'
            # One second before it is due: moved away, and nothing comes.
            event "$(at '+3 seconds')"
            said_times 3 'definition.id=e'
            event "$(at '+1 hour')"
            said_times 4 'definition.id=e'
            expiring probe probe 5 > t/probe.yaml
            live ' probe: '
            if grep ' e: ' out; then exit 1; fi
            # To the near future: it fires once, at that time.
            event "$(at '+2 seconds')"
            live ' e: e is due'
            : > out
            live ' probe: '
            if grep ' e: ' out; then exit 1; fi
            finish
            """, after: "mkdir t; item a old > t/a.yaml"),
        .program(
            44, "disabled while it runs: silent; enabled again: no past, and it goes on",
            """
            daemon
            live ' a: old has ended'
            printf 'timers:\\n  a: { name: old, duration: 1s, repeat: immediately, enabled: false }\\n' > t/a.yaml
            said_times 2 'definitions in force'
            : > out
            live ' p: p has ended'
            live ' p: p has ended'
            [ "$(grep -c ' a: ' out)" -le 1 ]
            : > out
            live ' p: p has ended'
            if grep ' a: ' out; then exit 1; fi
            expiring a old 1 > t/a.yaml
            : > out
            live ' a: old has ended'
            [ "$(grep -c ' a: ' out)" = 1 ]
            finish
            """, after: "mkdir t; expiring a old 1 > t/a.yaml; expiring p p 3 > t/p.yaml"),
        .program(
            44, "broken while it runs: it goes on; mended with another duration: it runs by that, without a restart",
            """
            daemon
            live ' a: old has ended'
            printf 'timers:\\n  a: { duration: 1x }\\n' > t/a.yaml
            said 'a.yaml:2:18: error'
            : > out
            live ' a: old has ended'
            expiring a new 2 > t/a.yaml
            live ' a: new has ended'
            said 'no file has errors any more'
            finish
            """, after: "mkdir t; expiring a old 1 > t/a.yaml"),
    ]

    private static let ids = (1...100).map { "t\($0)" }
    private static let many =
        "mkdir t; { echo 'timers:'; for i in $(seq 100); do more t$i t$i; done; } > t/many.yaml; item a old > t/a.yaml"

    private static let countdowns: Row = .row(
        45,
        "100 countdowns run while another file, their texts, their order and their file change: all deadlines bit-equal",
        steps: [
            Step("item a new > t/a.yaml"),
            Step("item a newer > t/a.yaml; touch t/many.yaml", .sets(["a": "newer"])),
            Step(
                "{ echo '# A comment.'; cat t/many.yaml; } > x; cat x > t/many.yaml",
                .nothing.with { $0.reloads = 1...1 }),
            Step(
                "sed -i 's/name: t/name: n/' t/many.yaml",
                .sets(Dictionary(uniqueKeysWithValues: ids.map { ($0, "n" + $0.dropFirst()) }))),
            Step("mv t/many.yaml t/other.yaml", .nothing.with { $0.reloads = 1...2 }),
            Step("printf 'timers: [\\n' > t/a.yaml", Expectation(problems: ["a.yaml:2:1"])),
            Step("rm t/a.yaml", .removes(["a"])),
        ], modes: .both, after: many,
        items: Dictionary(uniqueKeysWithValues: ids.map { ($0, $0) }).merging(["a": "old"]) { first, _ in first })
}

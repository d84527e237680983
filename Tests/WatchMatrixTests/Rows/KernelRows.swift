import TminusTestKit
import TminusWatch
import WatchTestSupport

extension Row {
    /// Rows 35, 36 and 46 to 50: limits of the kernel, descriptors, signals and clocks.
    static let kernel = limits + descriptors + [resets] + signals + clocks

    private static let namespace = Need.ability(
        "user namespace, in which the limits of inotify can be set for one program",
        probe: "unshare -U -r sh -c 'echo 10 > /proc/sys/user/max_inotify_watches'")

    private static let limits: [Row] = [
        // The length of the queue is that of the moment in which an instance is made, and is one for the whole machine.
        Row(
            number: 35, title: "a full queue of 16 events: one loss, one scan, the right state", needs: [.root],
            prepare: standardPlace
                + "; cat /proc/sys/fs/inotify/max_queued_events > .queue; echo 16 > /proc/sys/fs/inotify/max_queued_events",
            steps: [
                Step("cat .queue > /proc/sys/fs/inotify/max_queued_events", .nothing),
                Step(
                    "item a new > t/a.yaml; python3 -c 'for i in range(3000): open(\"t/x%d.log\" % i, \"w\").close()'",
                    .changed.with { expectation in
                        expectation.also = { scene in
                            let status = scene.watcher.status
                            return status.overflows == 1 && status.resets == 1
                                ? [] : ["\(status.overflows) overflows and \(status.resets) resets, not 1 and 1"]
                        }
                    }),
                Step("item a newer > t/a.yaml", .sets(["a": "newer"])),
            ], cleanup: "cat .queue > /proc/sys/fs/inotify/max_queued_events"),
        .program(
            35, "a queue that overflows while the program is stopped",
            """
            daemon
            kill -STOP "$daemon"
            python3 -c 'for i in range(20000): open("t/x.log", "w").close()'
            expiring a new 1 > t/a.yaml
            kill -CONT "$daemon"
            live ' a: new has ended'
            finish
            """, needs: .tools("python3"), after: "mkdir t; item a old > t/a.yaml"),
        .program(
            36,
            "10 watches for 13 directories: polling, said with the limit; by notifications again when there are more",
            shortage(
                "watches", 10, "this user has no inotify watches left: user.max_inotify_watches is 10, raise it with"),
            needs: [namespace],
            after: "mkdir t; for i in $(seq 12); do mkdir t/$i; done; expiring a old 1 > t/12/a.yaml"),
        .program(
            36, "no inotify instance: polling, said with the limit; by notifications again when there is one",
            shortage(
                "instances", 0,
                "this user has no inotify instances left: user.max_inotify_instances is 0, raise it with"),
            needs: [namespace], after: "mkdir -p t/12; expiring a old 1 > t/12/a.yaml"),
    ]

    /// The limit is raised from inside the namespace by a helper of the program's own parent.
    private static func shortage(_ what: String, _ limit: Int, _ message: String) -> String {
        """
        cat > start <<'END'
        limit=/proc/sys/user/max_inotify_\(what)
        echo \(limit) > $limit
        # The file is made by the test, which tells a shell nothing.
        { until [ -e raise ]; do sleep 0.1; done; echo 1000 > $limit; touch raised; } &
        exec "$TMINUS" "$@"
        END
        export TMINUS
        mkdir s; : > err
        unshare -U -r sh start run --config t --state s > out 2> err < /dev/null &
        daemon=$!
        live ' a: old has ended'
        said '\(message)'
        said 'sudo sysctl user.max_inotify_\(what)='
        [ "$(descriptors "$daemon" inotify)" = 0 ]
        expiring a polled 1 > t/12/a.yaml
        live ' a: polled has ended'
        touch raise
        await test -e raised
        said 'watching by notifications again'
        [ "$(grep -c 'polling instead' err)" = 1 ]
        [ "$(descriptors "$daemon" inotify)" = 1 ]
        expiring a new 1 > t/12/a.yaml
        live ' a: new has ended'
        finish
        """
    }

    private static let descriptors: [Row] = [
        .program(
            46, "a command inherits no descriptor but its streams",
            """
            daemon
            await test -s t/ran
            [ "$(descriptors "$daemon" inotify)" = 1 ]
            if grep -v -E '^(pipe|socket|/dev/null|/proc/|.*/t/found$)' t/ran; then exit 1; fi
            [ "$(grep -c . t/ran)" -le 4 ]
            finish
            """,
            after: """
                mkdir t
                echo 'for fd in /proc/self/fd/*; do readlink $fd || true; done > found; mv found ran' > t/show.sh
                echo 'timers: { a: { duration: 1s, on-expiry: [{ shell: "sh show.sh" }] } }' > t/a.yaml
                """),
        .program(
            47, "1,100 files open before the start: it polls, and says why",
            """
            cat > start <<'END'
            for fd in $(seq 3 1102); do eval "exec $fd< /dev/null"; done
            exec "$TMINUS" "$@"
            END
            export TMINUS
            mkdir s; : > err
            bash -c 'ulimit -n 4096; . ./start' start run --config t --state s > out 2> err < /dev/null &
            daemon=$!
            live ' a: old has ended'
            said 'more than 1024 files are open in this process (descriptor 11[0-9]*): start it with fewer of them open'
            expiring a new 1 > t/a.yaml
            live ' a: new has ended'
            finish
            """, needs: .tools("bash"), after: "mkdir t; expiring a old 1 > t/a.yaml"),
        .program(
            47, "at most 64 files open: an edit is live",
            """
            ulimit -n 64
            daemon
            live ' a: old has ended'
            expiring a new 1 > t/a.yaml
            live ' a: new has ended'
            finish
            """, after: "mkdir t; expiring a old 1 > t/a.yaml"),
        .program(
            47, "at most 12 files open: it works or says what is missing, and is not aborted",
            """
            mkdir s
            code=0
            timeout -s TERM 5 sh -c 'ulimit -n 12; exec "$0" "$@"' "$TMINUS" run --config t --state s \
                > out 2> err < /dev/null || code=$?
            cat err
            [ "$code" = 124 ] || [ "$code" = 74 ]
            grep -q -i 'too many\\|open files\\|ulimit' err
            """, after: "mkdir t; expiring a old 1 > t/a.yaml"),
    ]

    /// Each rename of a directory has all watches made anew.
    private static let resets: Row = Row(
        number: 48, title: "2,000 resets: descriptors and memory flat, and the watches are those of the tree",
        prepare: standardPlace + "; mkdir -p t/d0/e t/x/y; item d d > t/x/y/d.yaml",
        items: ["a": "old", "b": "b", "c": "c", "d": "d"],
        steps: [
            Step(Expectation(reloads: 0...4_000)) { scene in
                var (memory, open) = (0, 0)
                for index in 0..<2_000 {
                    // What is made once is not a leak.
                    if index == 500 { (memory, open) = (Own.residentKilobytes, Own.openFiles) }
                    try scene.place.move("t/d\(index)", to: "t/d\(index + 1)")
                    let deadline = ContinuousClock.now + .seconds(10)
                    while scene.watcher.status.resets <= index {
                        guard ContinuousClock.now < deadline else {
                            throw ScriptFailure(text: "reset \(index) is not done")
                        }
                        // The watcher counts its resets and tells nobody: look again.
                        try await Task.sleep(for: .milliseconds(1))
                    }
                }
                let grown = Own.residentKilobytes - memory
                guard grown < 6_000 else { throw ScriptFailure(text: "\(grown) KiB more after 1,500 resets") }
                guard abs(Own.openFiles - open) <= 2 else {
                    throw ScriptFailure(text: "\(Own.openFiles) files open, before \(open)")
                }
            },
            Step(
                "item a new > t/a.yaml",
                .changed.with { expectation in expectation.also = { Own.watchFaults(of: $0, steps: 1) } }),
        ], quiet: .milliseconds(2))

    private static let signals: [Row] = [
        .program(
            49, "edits and removals while the program is stopped",
            """
            daemon
            kill -STOP "$daemon"
            expiring a new 1 > t/a.yaml
            rm t/b.yaml
            mkdir -p t/s/u
            expiring d d 1 > t/s/u/d.yaml
            kill -CONT "$daemon"
            live ' a: new has ended'
            live ' d: d has ended'
            said 'definition.id=b'
            finish
            """, after: "mkdir t; item a old > t/a.yaml; item b b > t/b.yaml"),
        .program(
            49, "storms of SIGHUP, SIGCHLD and SIGSTOP/SIGCONT during 50 edits",
            """
            daemon
            i=0
            while [ $i -lt 50 ]; do
                i=$((i + 1))
                expiring a "n$i" 1 > t/a.yaml
                for signal in HUP CHLD STOP HUP CHLD CONT WINCH HUP CHLD; do kill -$signal "$daemon"; done
            done
            live ' a: n50 has ended'
            grep -v 'definition\\|tminus runs\\|cancelled' err | grep -i 'error\\|warning' && exit 1
            finish
            """, after: "mkdir t; item a old > t/a.yaml; item b b > t/b.yaml"),
        .program(
            49, "suspend to memory", "", impossible: "would suspend the machine; the same as SIGSTOP and SIGCONT, above"
        ),
    ]

    private static let clocks: [Row] = [
        .row(
            50, "files of the year 2100 and of 1970: the content decides",
            steps: [
                Step("item a new > t/.x; touch -d 2100-01-01 t/.x; mv t/.x t/a.yaml"),
                Step("item a newer > t/.x; touch -d 1970-01-01 t/.x; mv t/.x t/a.yaml", .sets(["a": "newer"])),
                Step("item a newest > t/a.yaml; touch -d 2100-01-01 t/a.yaml", .sets(["a": "newest"])),
                Step("touch -d @-1000000000 t/a.yaml", .nothing),
                Step(
                    "item a older > t/.x; touch -d @0 t/.x; cat t/.x > t/a.yaml; touch -d @0 t/a.yaml",
                    .sets(["a": "older"])),
            ], modes: .both),
        Row(
            number: 50, title: "another content with the same size and the same times",
            steps: [
                Step(
                    "item a new > t/.x; touch -r t/a.yaml t/.x; mv t/.x t/a.yaml", .changed)
            ]),
        .program(
            50, "the clock is set during a save", "",
            impossible: "would set the machine's clock; WatchLoopTests sets the one that the loop is given"),
    ]
}

import TminusWatch

extension Row {
    /// Row 33: files and directories that cannot be read, or hold what no definition file may hold.
    static let obstacles = others + texts + closed

    /// Each takes the place of a file, is named, and is gone again. The last good content goes on.
    private static let others: [Row] = [
        ("a named pipe", "mkfifo t/a.yaml", "a.yaml:0:0: cannot be read: is a named pipe", [Need]()),
        (
            "a socket",
            "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"t/a.yaml\")'", "is a socket",
            .tools("python3")
        ),
        ("a device", "mknod t/a.yaml c 1 5", "is a device", [.root]),
        ("a link to a device", "ln -s /dev/zero t/a.yaml", "is a device", []),
        ("a directory", "mkdir t/a.yaml", "is a directory: give it a name", []),
        ("a directory with files", "mkdir t/a.yaml; item d d > t/a.yaml/d.yaml", "is a directory: give it a name", []),
        (
            "a circle of links", "ln -s z.yaml t/a.yaml; ln -s a.yaml t/z.yaml", "its symbolic links lead in a circle",
            []
        ),
        ("a link to nothing", "ln -s nowhere t/a.yaml", "symbolic link to a file that does not exist", []),
        ("a file of 2 MiB", "head -c 2097152 /dev/zero > t/a.yaml", "is too large (2097152 bytes", []),
        ("a file of 1 TiB that has no blocks", "truncate -s 1T t/a.yaml", "is too large (1099511627776 bytes", []),
    ].map { title, script, problem, needs in
        .row(
            33, "\(title) in the place of a file, and the file again",
            steps: [
                // What comes instead is there within the grace, so nothing is ever gone.
                Step("rm t/a.yaml; \(script)", Expectation(problems: [problem])),
                Step("rm -rf t/a.yaml t/z.yaml; item a new > t/a.yaml", .changed),
            ], modes: .both, quick: title == "a named pipe", needs: needs)
    }

    private static let texts: [Row] = [
        .row(33, "a byte order mark", "{ printf '\\357\\273\\277'; item a new; } > t/a.yaml", modes: .both),
        .row(33, "CR LF at the ends of lines", "item a new | sed 's/$/\\r/' > t/a.yaml", modes: .both),
        refused(
            "a NUL", "printf 'timers:\\n  a: { name: x\\000y, duration: 2h }\\n' > t/a.yaml", "a.yaml:2:15: a NUL byte"),
        refused("only NULs, as after a crash", "head -c 4096 /dev/zero > t/a.yaml", "a.yaml:1:1: a NUL byte"),
        refused(
            "bytes that are not UTF-8", "printf 'timers:\\n  a: { name: \"x\\377\", duration: 2h }\\n' > t/a.yaml",
            "a.yaml:2:16: not valid UTF-8"),
        refused("UTF-16", "item a new | iconv -t UTF-16 > t/a.yaml", "a.yaml:0:0: the file is UTF-16"),
        refused(
            "aliases that multiply",
            """
            { echo 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'
            for i in 1 2 3 4 5 6 7 8 9; do
                p=\"*a$((i - 1))\"
                echo \"a$i: &a$i [$p, $p, $p, $p, $p, $p, $p, $p, $p, $p]\"
            done; } > t/a.yaml
            """, "a.yaml:1:5: anchors are not supported"),
        refused(
            "a million brackets", "head -c 1000000 /dev/zero | tr '\\0' '[' > t/a.yaml", "a.yaml:1:"),
    ]

    private static func refused(_ title: String, _ script: String, _ problem: String) -> Row {
        .row(
            33, "\(title), and the fix",
            steps: [
                Step(script, Expectation(problems: [problem])),
                Step("item a new > t/a.yaml", .changed),
            ], modes: .both)
    }

    /// Root may read everything, so the program runs without that right; see `plain` in the prelude.
    private static let closed: [Row] = [
        .program(
            33, "a file that nobody may read, at the start and later; chmod is noticed at once",
            """
            chmod 0 t/b.yaml
            PREFIX=$(plain) daemon
            said 't/b.yaml: error: cannot be read (permission denied): make it readable'
            live ' a: old has ended'
            chmod 600 t/b.yaml
            live ' b: b has ended'
            chmod 0 t/a.yaml
            said 't/a.yaml: error: cannot be read (permission denied)'
            : > out
            live ' a: old has ended'
            live ' b: b has ended'
            expiring a new 1 > x
            chmod 600 t/a.yaml
            cat x > t/a.yaml
            live ' a: new has ended'
            finish
            """, needs: plain, after: "mkdir t; expiring a old 1 > t/a.yaml; expiring b b 1 > t/b.yaml"),
        .program(
            33, "a directory that nobody may read, below the watched one and itself; chmod is noticed at once",
            """
            chmod 0 t/s
            PREFIX=$(plain) daemon
            said 't/s: error: the directory cannot be read (permission denied): make it readable'
            live ' a: old has ended'
            chmod 700 t/s
            live ' b: b has ended'
            chmod 0 t/s
            said_times 2 't/s: error: the directory cannot be read'
            : > out
            live ' b: b has ended'
            chmod 700 t/s
            said 'no file has errors any more'
            chmod 0 t
            said '/t: error: the directory cannot be read'
            : > out
            live ' a: old has ended'
            chmod 700 t
            expiring a new 1 > t/a.yaml
            live ' a: new has ended'
            finish
            """, needs: plain, after: "mkdir -p t/s; expiring a old 1 > t/a.yaml; expiring b b 1 > t/s/b.yaml"),
        Row(
            number: 33, title: "reads that fail with EIO, and the disk in order again (FUSE)", modes: [.auto, .poll],
            needs: fuse,
            prepare:
                "mkdir t o; item a old > o/a.yaml; { item b b; more c c; } > o/b.yaml; age; still; failing o t; await test -f t/a.yaml",
            steps: [
                Step(
                    "item a new > o/a.yaml; touch o/.fail-a.yaml",
                    Expectation(problems: ["a.yaml:0:0: cannot be read (Input/output error)"]).with {
                        $0.isFenced = false
                    }),
                Step("rm o/.fail-a.yaml", .changed),
            ], mayMiss: true, cleanup: "umount -l t"),
    ]

    private static let plain: [Need] = [
        .ability(
            "way to give up the rights of root", probe: "item a a > .closed; chmod 0 .closed; ! $(plain) cat .closed")
    ]

    private static let fuse: [Need] = [
        .root, .tool("python3"),
        .ability("FUSE", probe: "/usr/bin/python3 -c 'import fusepy' && [ -c /dev/fuse ]"),
    ]
}

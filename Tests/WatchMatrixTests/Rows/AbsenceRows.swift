import TminusWatch

extension Row {
    // The pauses are what the rows try.
    /// Rows 18 to 22: what looks like a change or a removal and is none, and the other way round.
    static let absences: [Row] = [
        .row(18, "rm, create", "rm t/a.yaml; item a new > t/a.yaml", modes: .both),
        .row(
            18, "rm, 30 ms, create", "item a new | saves removed t/a.yaml 0.03", quick: true, needs: .tools("python3")),
        .row(18, "rm, 200 ms, create", "rm t/a.yaml; sleep 0.2; item a new > t/a.yaml"),
        .row(
            18, "rm, 1 s, create: removed, then resumed", "rm t/a.yaml; sleep 1; item a new > t/a.yaml",
            .sets(["a": "new"], reloads: 2...2).with { $0.mayVanish = ["a"] }),
        .row(18, "rm", "rm t/a.yaml", .removes(["a"]), quick: true),
        .row(19, "touch", "touch t/a.yaml", .nothing, quick: true),
        .row(19, "chmod 600, chmod 644", "chmod 600 t/a.yaml; sleep 0.1; chmod 644 t/a.yaml", .nothing),
        .row(19, "same content written again", "item a old > t/a.yaml", .nothing, quick: true),
        .row(19, "same content renamed into place", "item a old > x; mv x t/a.yaml", .nothing),
        .row(
            19, "git round trip",
            "cd t; git checkout -q other; git checkout -q main", .nothing, needs: .tools("git"),
            after:
                "mkdir t; cd t; git init -q; item a old > a.yaml; git add .; git commit -qm one; git checkout -qb other; item a new > a.yaml; git commit -qam two; git checkout -q main; cd ..",
            items: ["a": "old"]),
        .row(20, "mmap", "saves mapped t/a.yaml old new", quick: true, needs: .tools("python3")),
        .row(
            20, "posix_fallocate, write, ftruncate", "item a new | saves allocate t/a.yaml", needs: .tools("python3")),
        .row(
            20, "truncate, 20 ms, write", "item a new | saves truncated t/a.yaml 0.02", quick: true,
            needs: .tools("python3")),
        emptied("truncated and left so", ": > t/a.yaml"),
        emptied("white space only", "printf '\\n  \\n\\n' > t/a.yaml").with { $0.quickModes = [.events] },
        emptied("comments only", "printf '# nothing\\n# here\\n' > t/a.yaml"),
        .row(
            21, "comments only, 100 ms, written",
            "printf '# nothing\\n' > t/a.yaml; sleep 0.1; item a new > t/a.yaml"),
        .row(
            22, "two saves of one size within 1 ms", steps: sameSize, needs: .tools("python3")),
    ]

    private static func emptied(_ title: String, _ save: String) -> Row {
        .row(
            21, title, save,
            .removes(["a"]).with {
                $0.problems = ["no definitions are left in this file"]
                $0.notBefore = .milliseconds(250)
            })
    }

    private static let sameSize = [("old", "abc", "new"), ("new", "def", "fin")].map { old, first, second in
        Step("saves twice t/a.yaml \(old) \(first) \(second)", .sets(["a": second]))
    }
}

extension Row {
    /// Rows 16 and 17: rsync and git.
    static let transfers: [Row] = rsync + git + manyFiles

    private static func rsync(_ title: String, _ options: String) -> Row {
        .row(
            16, title, "mkdir s; item a new > s/a.yaml; cp t/b.yaml s; rsync -a \(options) s/ t/",
            needs: .tools("rsync"))
    }

    private static let rsync: [Row] = [
        rsync("rsync", ""),
        rsync("rsync --inplace", "--inplace"),
        rsync("rsync -b", "-b"),
        rsync("rsync --delay-updates", "--delay-updates"),
        .row(
            16, "rsync --delete of a directory",
            "mkdir s; item a new > s/a.yaml; cp t/b.yaml s; item n new > s/n.yaml; rsync -a --delete s/ t/",
            Expectation(sets: ["a": "new", "n": "new"], removes: ["d"]), needs: .tools("rsync"),
            after: standardPlace + "; item d d > t/d.yaml", items: ["a": "old", "b": "b", "c": "c", "d": "d"]),
    ]

    /// A repository in the watched directory with three files, and a branch on which all are other.
    private static let repository = """
        mkdir t; cd t; git init -q; item a old > a.yaml; item b old > b.yaml; item c old > c.yaml
        git add .; git commit -qm one; git checkout -qb other; sed -i s/old/new/ *.yaml; git commit -qam two; git checkout -q main; cd ..
        """
    private static let old = ["a": "old", "b": "old", "c": "old"]
    private static let new = ["a": "new", "b": "new", "c": "new"]

    private static let git: [Row] = [
        .row(
            17, "git checkout of 3 files", "cd t; git checkout -q other", .sets(new), modes: .both,
            needs: .tools("git"),
            after: repository, items: old),
        .row(
            17, "git stash, git stash pop",
            steps: [
                Step("cd t; git stash -q", .changed.with { $0.sets = ["a": "old"] }), Step("cd t; git stash pop -q"),
            ],
            modes: .both, needs: .tools("git"), after: repository + "; item a new > t/a.yaml",
            items: ["a": "new", "b": "old", "c": "old"]),
        .row(
            17, "git reset --hard", "cd t; git reset -q --hard other", .sets(new), modes: .both, needs: .tools("git"),
            after: repository, items: old),
        .row(
            17, "git merge", "cd t; git merge -q other", .sets(new), modes: .both, needs: .tools("git"),
            after: repository,
            items: old),
        .row(
            17, "git checkout that removes and adds",
            steps: [
                Step("cd t; git checkout -q other", Expectation(sets: ["a": "new", "n": "new"], removes: ["b", "c"])),
                Step(
                    "cd t; git checkout -q main",
                    Expectation(sets: ["a": "old", "b": "old", "c": "old"], removes: ["n"])),
            ], modes: .both, needs: .tools("git"),
            after: repository
                + "; cd t; git checkout -q other; git rm -q b.yaml c.yaml; item n new > n.yaml; git add .; git commit -qm three; git checkout -q main; cd ..",
            items: old),
        .row(
            17, "git clone into the tree", "git clone -q repository t/sub",
            .sets(["n": "new", "m": "new"], reloads: 1...2),
            modes: .both, needs: .tools("git"),
            after: standardPlace
                + "; git init -q repository; cd repository; item n new > n.yaml; mkdir deep; item m new > deep/m.yaml; git add .; git commit -qm one; cd .."
        ),
    ]

    private static let count = 200

    private static func many(_ name: String, _ numbers: ClosedRange<Int>) -> [String: String] {
        Dictionary(uniqueKeysWithValues: numbers.map { ("f\($0)", name) })
    }

    private static let manyFiles: [Row] = [
        .row(
            17, "git checkout of 200 files, 20 of them removed", "cd t; git checkout -q other",
            Expectation(
                sets: many("new", 1...180), removes: Set(many("", 181...200).keys), reloads: 1...2),
            modes: .both, needs: .tools("git"),
            after: """
                mkdir t; cd t; git init -q; for i in $(seq \(count)); do item f$i old > $i.yaml; done; git add .; git commit -qm one
                git checkout -qb other; sed -i s/old/new/ *.yaml; git rm -qf $(seq -f %g.yaml 181 200); git commit -qam two; git checkout -q main; cd ..
                """, items: many("old", 1...200))
    ]
}

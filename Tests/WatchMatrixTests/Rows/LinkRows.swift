import TminusWatch

extension Row {
    /// Rows 25 and 26: links whose targets change.
    static let links: [Row] = volumes + retargets + outside

    /// A Kubernetes volume: files are links through `..data`, which is swapped as a whole.
    private static let volume = """
        mkdir -p t/..1; item a old > t/..1/a.yaml; { item b b; more c c; } > t/..1/b.yaml
        ln -s ..1 t/..data; ln -s ..data/a.yaml t/a.yaml; ln -s ..data/b.yaml t/b.yaml
        """

    private static func swap(_ version: Int, _ content: String, after links: String = "") -> String {
        "cd t; mkdir ..\(version); cd ..\(version); \(content); cd ..; "
            + "ln -s ..\(version) ..data_tmp; mv -T ..data_tmp ..data; \(links) rm -r ..\(version - 1)"
    }

    private static let same = "{ item b b; more c c; } > b.yaml"

    private static let volumes: [Row] = [
        .row(
            25, "ConfigMap swapped twice",
            steps: [
                Step(swap(2, "item a new > a.yaml; \(same)")),
                Step(swap(3, "item a newer > a.yaml; \(same)"), .sets(["a": "newer"])),
            ], modes: .both, after: volume
        ).with { $0.quickModes = .both },
        .row(
            25, "ConfigMap with a new key",
            swap(2, "item a new > a.yaml; \(same); item n new > n.yaml", after: "ln -s ..data/n.yaml n.yaml;"),
            .sets(["a": "new", "n": "new"]), modes: .both, after: volume),
        .row(
            25, "ConfigMap with a key removed", swap(2, same, after: "rm a.yaml;"), .removes(["a"]), modes: .both,
            after: volume),
    ]

    private static let retargets: [Row] = [
        .row(
            25, "link to a directory as root, retargeted",
            steps: [
                Step("ln -s v2 n; mv -T n t"), Step("item a newer > v2/a.yaml", .sets(["a": "newer"])),
                Step("item a wrong > v1/a.yaml", .nothing),
            ], modes: .both,
            after: """
                mkdir v1 v2; item a old > v1/a.yaml; item a new > v2/a.yaml
                for v in v1 v2; do { item b b; more c c; } > $v/b.yaml; done; ln -s v1 t
                """),
        .row(
            25, "link to a directory inside the root, retargeted",
            steps: [
                Step("ln -s ../v2 n; mv -T n t/current"),
                Step("item a newer > v2/a.yaml", .sets(["a": "newer"])),
                Step("item a wrong > v1/a.yaml", .nothing),
            ], modes: .both,
            after: """
                mkdir t v1 v2; item a old > v1/a.yaml; item a new > v2/a.yaml
                { item b b; more c c; } > t/b.yaml; ln -s ../v1 t/current
                """),
    ]

    private static let linked =
        "mkdir t o; item a old > o/real; ln -s ../o/real t/a.yaml; { item b b; more c c; } > t/b.yaml"

    private static let outside: [Row] = [
        .row(26, "link to a file outside, written in place", "item a new > o/real", quick: true, after: linked),
        .row(26, "link to a file outside, replaced by rename", "item a new > x; mv x o/real", after: linked),
    ]
}

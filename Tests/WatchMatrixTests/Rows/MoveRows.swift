extension Row {
    /// Rows 23 and 24: definitions that go from file to file, and files and directories that are renamed.
    static let moves: [Row] = itemMoves + fileMoves + directoryMoves

    private static func itemMove(_ title: String, _ save: String, _ reloads: ClosedRange<Int>, vanishes: Bool = false)
        -> Row
    {
        .row(
            23, title, save,
            Expectation(reloads: reloads).with {
                $0.mayComplain = true
                $0.mayVanish = vanishes ? ["x"] : []
            }, after: "mkdir t; { item a old; more x x; } > t/a.yaml; { item b b; more c c; } > t/b.yaml",
            items: ["a": "old", "b": "b", "c": "c", "x": "x"])
    }

    // The pauses are what the rows try.
    private static let itemMoves: [Row] = [
        itemMove("added, then removed, at once", "more x x >> t/b.yaml; item a old > t/a.yaml", 1...1),
        itemMove("added, then removed 100 ms later", "more x x >> t/b.yaml; sleep 0.1; item a old > t/a.yaml", 1...2),
        itemMove("added, then removed 5 s later", "more x x >> t/b.yaml; sleep 5; item a old > t/a.yaml", 2...2),
        itemMove("removed, then added, at once", "item a old > t/a.yaml; more x x >> t/b.yaml", 1...1),
        itemMove(
            "removed, then added 100 ms later", "item a old > t/a.yaml; sleep 0.1; more x x >> t/b.yaml", 1...2,
            vanishes: true),
        itemMove(
            "removed, then added 5 s later", "item a old > t/a.yaml; sleep 5; more x x >> t/b.yaml", 2...2,
            vanishes: true),
    ]

    private static let moved = Expectation()
    private static let gone = Expectation.removes(["a"])
    private static let back = Expectation.sets(["a": "old"])

    private static let fileMoves: [Row] = [
        .row(24, "a.yaml renamed to z.yaml", "mv t/a.yaml t/z.yaml", moved),
        .row(24, "a.yaml renamed to 0.yml", "mv t/a.yaml t/0.yml", moved),
        .row(
            24, "a.yaml renamed to a.yaml.off and back",
            steps: [Step("mv t/a.yaml t/a.yaml.off", gone), Step("mv t/a.yaml.off t/a.yaml", back)], quick: true),
        .row(
            24, "a.yaml moved out and back in",
            steps: [Step("mv t/a.yaml x", gone), Step("mv x t/a.yaml", back)]),
        .row(24, "cp a.yaml z.yaml, rm a.yaml", "cp t/a.yaml t/z.yaml; rm t/a.yaml", moved),
    ]

    private static let inDirectory = "mkdir -p t/s/u; item a old > t/s/u/a.yaml; { item b b; more c c; } > t/b.yaml"

    private static let directoryMoves: [Row] = [
        .row(
            24, "directory moved out and back in",
            steps: [
                Step("mv t/s o", gone), Step("mv o t/s", back), Step("item a new > t/s/u/a.yaml"),
            ], after: inDirectory),
        .row(
            24, "directory moved in from outside",
            steps: [Step("mv o t/o", .sets(["n": "new"])), Step("item n newer > t/o/u/n.yaml", .sets(["n": "newer"]))],
            after: standardPlace + "; mkdir -p o/u; item n new > o/u/n.yaml"),
        .row(
            24, "directory renamed",
            steps: [Step("mv t/s t/z", moved), Step("item a new > t/z/u/a.yaml")], quick: true, after: inDirectory),
        .row(
            24, "directory renamed to a hidden name",
            steps: [Step("mv t/s t/.s", gone), Step("mv t/.s t/s", back)], after: inDirectory),
    ]
}

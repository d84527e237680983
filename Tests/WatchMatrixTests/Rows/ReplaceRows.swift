import TminusWatch

extension Row {
    /// Rows 7 and 12 to 15: another file in the place of the old one.
    static let replacements: [Row] = [
        .row(7, "sed -i", "sed -i s/old/new/ t/a.yaml", modes: .both, quick: true),
        .row(7, "sed -i.bak", "sed -i.bak s/old/new/ t/a.yaml", modes: .both, quick: true),
        .row(7, "perl -pi", "perl -pi -e s/old/new/ t/a.yaml", modes: .both, needs: .tools("perl")),
        .row(
            7, "patch", "cp t/a.yaml x; sed s/old/new/ x > y; diff -u x y > z || true; patch -s t/a.yaml z",
            modes: .both,
            needs: .tools("patch", "diff")),
        .row(7, "busybox sed -i", "busybox sed -i s/old/new/ t/a.yaml", modes: .both, needs: .tools("busybox")),
        .row(7, "sponge", "sed s/old/new/ t/a.yaml | sponge t/a.yaml", modes: .both, needs: .tools("sponge")),
        .row(
            12, "JetBrains, simulated", "item a new | saves jetbrains t/a.yaml", quick: true, needs: .tools("python3")),
        .row(
            12, "VS Code, simulated", "item a new | saves vscode t/a.yaml", modes: .both, quick: true,
            needs: .tools("python3")),
        .row(13, "mv on the same file system", "item a new > x; mv x t/a.yaml", modes: .both, quick: true),
        .row(13, "mv of a new file", "item n new > x; mv x t/n.yaml", .sets(["n": "new"]), modes: .both),
        .row(
            13, "mv across file systems", "item a new > /dev/shm/tminus-$$; mv /dev/shm/tminus-$$ t/a.yaml",
            modes: .both,
            needs: [.otherFileSystem]),
        .row(13, "install", "item a new > x; install -m 644 x t/a.yaml", modes: .both),
        .row(
            13, "cp --remove-destination", "item a new > x; cp --remove-destination x t/a.yaml", modes: .both,
            quick: true),
        .row(
            13, "unzip -o", "item a new > a.yaml; zip -q x.zip a.yaml; unzip -qo x.zip -d t", modes: .both,
            needs: .tools("zip", "unzip")),
        .row(13, "tar x", "item a new > a.yaml; tar cf x.tar a.yaml; tar xf x.tar -C t", modes: .both),
        .row(
            13, "tar x of a new file", "item n new > n.yaml; tar cf x.tar n.yaml; tar xf x.tar -C t",
            .sets(["n": "new"]), modes: .both),
        .row(14, "rename from x.yaml.tmp", "item a new > t/a.yaml.tmp; mv t/a.yaml.tmp t/a.yaml", quick: true),
        .row(14, "rename from .x.yaml", "item a new > t/.a.yaml; mv t/.a.yaml t/a.yaml", quick: true),
        .row(
            14, "rename from tmp.yaml beside", "item a new | saves beside t/tmp.yaml t/a.yaml", noReset, quick: true,
            needs: .tools("python3")),
        .row(
            14, "rename from tmp.yaml beside, 300 ms later",
            // The pause is what the row tries.
            "item a new > t/tmp.yaml; sleep 0.3; mv t/tmp.yaml t/a.yaml",
            noReset.with {
                $0.reloads = 1...2
                $0.mayComplain = true
            }),
        .row(
            14, "tempfile and os.replace", "item a new | saves replace t/a.yaml", needs: .tools("python3")),
        .row(15, "ln, new", "item n new > x; ln x t/n.yaml", .sets(["n": "new"]), quick: true),
        .row(15, "ln -f", "item a new > x; ln -f x t/a.yaml", quick: true),
        .row(15, "cp -l", "item n new > x; cp -l x t/n.yaml", .sets(["n": "new"])),
        .row(15, "ln -s, new", "item n new > x; ln -s ../x t/n.yaml", .sets(["n": "new"])),
        .row(15, "ln -sf", "item a new > x; ln -sf ../x t/a.yaml"),
        .row(
            15, "O_TMPFILE and linkat", "item n new | saves tmpfile t/n.yaml", .sets(["n": "new"]), quick: true,
            needs: .tools("python3")),
        .row(
            15, "renameat2 EXCHANGE", "item a new > x; saves exchange x t/a.yaml", quick: true, needs: .tools("python3")
        ),
        .row(
            15, "renameat2 EXCHANGE of two watched files", "saves exchange t/a.yaml t/b.yaml",
            .nothing.with { $0.reloads = 1...1 },
            needs: .tools("python3")),
    ]

    /// The common case, with the watches left as they are.
    private static let noReset = Expectation.changed.with {
        $0.also = { scene in scene.watcher.status.resets == 0 ? [] : ["\(scene.watcher.status.resets) resets"] }
    }
}

import TminusTestKit
import TminusWatch
import WatchTestSupport

extension Row {
    /// Rows 37 to 40: the watched directory goes, comes and is hidden; mounts; many directories.
    static let roots = replaced + mounts + layers + crowds

    private static let gone = Expectation.removes(["a", "b", "c"]).with { expectation in
        expectation.problems = ["the directory does not exist: make it"]
        expectation.isFenced = false
    }
    private static let back = Expectation.sets(["a": "new", "b": "b", "c": "c"], reloads: 1...2).with { expectation in
        // Without a notification nothing would come within an hour.
        expectation.latency = .seconds(60)
        expectation.mayComplain = true
        expectation.also = { $0.watcher.status.mode == .events ? Own.watchFaults(of: $0, steps: 1) : [] }
    }
    private static let prompt = Expectation.changed.with { expectation in
        // Without a notification nothing would come within an hour.
        expectation.latency = .seconds(60)
        expectation.also = { $0.watcher.status.mode == .events ? Own.watchFaults(of: $0, steps: 1) : [] }
    }
    private static let edited = Step("item a newer > t/a.yaml", .sets(["a": "newer"]))

    /// What the directory is replaced by: another `a`, the same others.
    private static let other = standardPlace + "; cp -r t u; item a new > u/a.yaml"

    private static let replaced: [Row] = [
        .row(
            37, "the directory is removed and made again at once", steps: [Step("saves remake u t", prompt), edited],
            modes: .both, quick: true, needs: .tools("python3"), after: other),
        .row(
            37, "removed, and made again after 10 s",
            // The pause is what the row tries.
            steps: [Step("rm -r t", gone), Step("sleep 10; cp -r u t", back), edited], modes: .both, after: other),
        .row(
            37, "renamed and made again; edits of the renamed one are nobody's",
            steps: [
                Step("mv t v; cp -r u t", prompt), edited,
                Step("item a wrong > v/a.yaml; item d wrong > v/d.yaml", .nothing),
            ], modes: .both, after: other),
        .row(
            37, "renamed away and back after a second",
            // The pause is what the row tries.
            steps: [Step("mv t v", gone), Step("sleep 1; item a new > v/a.yaml; mv v t", back), edited], modes: .both,
            after: other),
        .row(
            37, "replaced by a link to another directory, and that turned",
            steps: [
                Step("mv t v; ln -s u t", prompt.with { $0.also = nil }), edited,
                Step("cp -r u w; item a last > w/a.yaml; ln -s w n; mv -T n t", .sets(["a": "last"])),
                Step("item a wrong > u/a.yaml", .nothing),
                Step("item a live > w/a.yaml", .sets(["a": "live"])),
            ], modes: .both, after: other),
        .row(
            37, "a link to nothing, then to a directory",
            steps: [
                Step("rm -r t; ln -s nowhere t", gone),
                Step("mv u nowhere", back.with { $0.also = nil }), edited,
            ], modes: .both, after: other),
        .row(
            37, "a link whose target is removed, and made again",
            steps: [
                Step("rm -r o/v", gone), Step("cp -r u o/v", back.with { $0.also = nil }), edited,
            ], modes: .both, after: other + "; mkdir o; mv t o/v; ln -s o/v t"),
        .row(
            37, "replaced by a file, and by a directory again",
            steps: [
                Step("rm -r t; : > t", gone.with { $0.problems = ["is not a directory: name a directory"] }),
                Step("rm t; cp -r u t", back), edited,
            ], modes: .both, after: other),
        .row(
            37, "its parent is removed and made again",
            steps: [Step("rm -r p", gone), Step("mkdir -p p/q; cp -r u p/q/t", back)], modes: .both,
            after: other + "; mkdir -p p/q; mv t p/q/t"
        ).with { $0.root = "p/q/t" },
        .row(
            37, "its parent is renamed and made again",
            steps: [
                Step("mv p q; mkdir p; cp -r u p/t", prompt),
                Step("item a wrong > q/t/a.yaml", .nothing),
            ], modes: .both, after: other + "; mkdir p; mv t p/t"
        ).with { $0.root = "p/t" },
        .row(
            37, "missing at the start, with two directories above it",
            steps: [
                Step("mkdir x", Expectation(reloads: 0...0, problems: ["does not exist"], isFenced: false)),
                Step("mkdir x/y; mv u x/y/t", back), Step("item a newer > x/y/t/a.yaml", .sets(["a": "newer"])),
            ], modes: .both, after: other + "; rm -r t", items: [:]
        ).with { $0.root = "x/y/t" },
    ]

    private static let mountable: [Need] = [
        .root, .ability("right to mount", probe: "mkdir -p .m && mount -t tmpfs none .m && umount .m"),
    ]
    /// A file system of its own at `t`, with other content below it.
    private static let mounted =
        other + "; item a hidden > t/a.yaml; mount -t tmpfs -o mode=755 none t; cp u/b.yaml t; item a old > t/a.yaml"
    private static let hidden = Expectation.sets(["a": "hidden"], reloads: 1...2)

    private static let mounts: [Row] = [
        .row(
            38, "umount, and mounted again",
            steps: [
                Step("umount t", hidden.with { $0.latency = nil }),
                Step("mount -t tmpfs -o mode=755 none t; cp u/b.yaml u/a.yaml t", .changed.with { $0.reloads = 1...3 }),
            ], modes: .both, needs: mountable, after: mounted
        ).with {
            $0.cleanup = "umount -l t; umount -l t"
            // Nothing tells of a mount.
            $0.mayMiss = true
            $0.rescanInterval = .seconds(1)
        },
        .row(
            38, "a lazy umount while a file is open", steps: [Step("exec 9< t/b.yaml; umount -l t; exec 9<&-", hidden)],
            modes: .both, needs: mountable, after: mounted
        ).with {
            $0.cleanup = "umount -l t"
            $0.mayMiss = true
            $0.rescanInterval = .seconds(1)
        },
        .row(
            38, "another file system over the directory, and away again",
            steps: [
                Step("mkdir m; mount -t tmpfs none m; cp u/*.yaml m; mount --move m t || mount --bind m t", .changed),
                Step("item a newer > t/a.yaml", .sets(["a": "newer"])),
                Step("umount t", .sets(["a": "old"])),
                Step("item a last > t/a.yaml", .sets(["a": "last"])),
            ], modes: .both, needs: mountable, after: other
        ).with {
            $0.cleanup = "umount -l t; umount -l m"
            $0.mayMiss = true
            $0.rescanInterval = .seconds(1)
        },
        .row(
            38, "another directory over one of the tree",
            steps: [
                Step("mount --bind u t/s", .sets(["d": "new"])),
                Step("item d newer > t/s/d.yaml", .sets(["d": "newer"])),
            ], modes: .both, needs: mountable,
            after: standardPlace + "; mkdir t/s u; item d old > t/s/d.yaml; item d new > u/d.yaml",
            items: ["a": "old", "b": "b", "c": "c", "d": "old"]
        ).with {
            $0.cleanup = "umount -l t/s"
            $0.mayMiss = true
            $0.rescanInterval = .seconds(1)
        },
    ]

    private static let rescanned = Expectation.changed.with { $0.latency = .seconds(4) }
    private static let overlay: [Need] = [
        .root,
        .ability(
            "overlay file system",
            probe: "mkdir -p .l .u .w .o && mount -t overlay none -o lowerdir=.l,upperdir=.u,workdir=.w .o && umount .o"
        ),
    ]
    private static let onOverlay =
        standardPlace
        + "; mv t lower; mkdir t upper work; age; still; mount -t overlay none -o lowerdir=lower,upperdir=upper,workdir=work t"
    private static let bindfs: [Need] = [
        .root, .tool("bindfs"), .ability("FUSE", probe: "mkdir -p .b .m && bindfs .b .m && umount .m"),
    ]

    private static let layers: [Row] = [
        .row(
            40, "overlay: edits through the mount are events", steps: [Step("item a new > t/a.yaml"), edited],
            modes: .both,
            needs: overlay, after: onOverlay
        ).with { $0.cleanup = "umount -l t" },
        .row(
            40, "overlay: an edit of the upper layer is found by a rescan",
            steps: [Step("item a new > t/a.yaml"), Step("item a newer > upper/a.yaml", .sets(["a": "newer"]))],
            modes: [.auto, .poll], needs: overlay, after: onOverlay
        ).with {
            $0.cleanup = "umount -l t"
            $0.mayMiss = true
            $0.rescanInterval = .seconds(1)
        },
        .row(
            40, "overlay: an edit of the lower layer is found by a rescan",
            steps: [Step("item a new > lower/a.yaml", rescanned)],
            modes: [.auto, .poll], needs: overlay, after: onOverlay
        ).with {
            $0.cleanup = "umount -l t"
            $0.mayMiss = true
            $0.rescanInterval = .seconds(1)
        },
        .row(
            40, "bindfs (FUSE): an edit through the mount, and one behind it, which the next look finds",
            steps: [
                Step("item a new > t/a.yaml"),
                Step("item a newer > o/a.yaml", .sets(["a": "newer"]).with { $0.latency = .seconds(4) }),
            ], modes: [.auto, .poll], needs: bindfs, after: standardPlace + "; mv t o; mkdir t; age; still; bindfs o t"
        ).with {
            $0.cleanup = "umount -l t"
            $0.mayMiss = true
        },
        .row(
            40, "bindfs in a directory of the tree: an edit behind it is found by the next look",
            steps: [Step("item d new > o/d.yaml", .sets(["d": "new"]).with { $0.latency = .seconds(4) })],
            modes: [.auto, .poll],
            needs: bindfs, after: standardPlace + "; mkdir o t/s; item d old > o/d.yaml; age; still; bindfs o t/s",
            items: ["a": "old", "b": "b", "c": "c", "d": "old"]
        ).with {
            $0.cleanup = "umount -l t/s"
            $0.mayMiss = true
        },
        .row(
            40, "a bind mount of a directory: edits at either place are events",
            steps: [Step("item a new > o/a.yaml"), edited], modes: .both, needs: mountable,
            after: standardPlace + "; mv t o; mkdir t; mount --bind o t"
        ).with { $0.cleanup = "umount -l t" },
        .row(
            40, "a bind mount of a single file: an edit in place is found by a rescan",
            steps: [Step("item a new > o/a.yaml", rescanned)], modes: .both, needs: mountable,
            after: standardPlace + "; mkdir o; cp t/a.yaml o; mount --bind o/a.yaml t/a.yaml"
        ).with {
            $0.cleanup = "umount -l t/a.yaml"
            $0.mayMiss = true
            $0.rescanInterval = .seconds(1)
        },
        .row(
            40, "a bind mount of a single file that is replaced outside", steps: [],
            impossible: "the mount keeps the old file: mount the directory, not the file"),
    ]

    private static let crowds: [Row] = [
        .row(
            39, "mkdir -p and a file in it, 500 times",
            "for i in $(seq 500); do mkdir -p t/n$i/u; item d$i d > t/n$i/u/d.yaml; done",
            Expectation.sets(
                Dictionary(uniqueKeysWithValues: (1...500).map { ("d\($0)", "d") }), reloads: 1...200
            ).with {
                $0.also = { $0.watcher.status.mode == .events ? Own.watchFaults(of: $0, steps: 1) : [] }
            }, modes: .both),
        .row(
            39, "1,000 directories and files at once",
            "cp -r src/. t",
            Expectation.sets(Dictionary(uniqueKeysWithValues: (1...1_000).map { ("d\($0)", "d") }), reloads: 1...200)
                .with {
                    $0.also = { $0.watcher.status.mode == .events ? Own.watchFaults(of: $0, steps: 1) : [] }
                },
            after: standardPlace
                + "; mkdir src; for i in $(seq 1000); do mkdir src/n$i; item d$i d > src/n$i/d.yaml; done"),
        .row(
            39, "directories made and removed 20,000 times: nothing is left of them",
            steps: [
                Step(storm(5_000), Expectation(reloads: 0...1_000)),
                Step(Expectation(reloads: 0...4_000)) { scene in
                    let memory = Own.residentKilobytes
                    try await scene.place.run(storm(20_000))
                    let grown = Own.residentKilobytes - memory
                    guard grown < 12_000 else {
                        throw ScriptFailure(text: "\(grown) KiB more after 20,000 directories")
                    }
                },
                Step("item a new > t/a.yaml", prompt),
            ], needs: .tools("python3")),
    ]

    private static func storm(_ count: Int) -> String {
        """
        python3 -c '
        import os
        for i in range(\(count)):
            os.mkdir("t/x%d" % (i % 50)); open("t/x%d/f.yaml" % (i % 50), "w").close()
            os.unlink("t/x%d/f.yaml" % (i % 50)); os.rmdir("t/x%d" % (i % 50))
        '
        """
    }
}

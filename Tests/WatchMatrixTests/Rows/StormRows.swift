import TminusCore
import TminusTestKit
import TminusWatch

extension Row {
    /// Rows 27 and 28: edits beside others who never stop.
    static let storms: [Row] = [steady("open"), steady("reopened"), storm]

    private static func steady(_ way: String) -> Row {
        .row(
            27, "a write every 10 ms for 10 s, \(way), beside an edit",
            steps: [
                Step(
                    // The writes go on for a while before the edit.
                    "{ saves steady t/a.yaml 10 \(way); : > done; } & sleep 0.5; { item b new; more c c; } > t/b.yaml",
                    Expectation(sets: ["b": "new"], reloads: 1...4).with {
                        $0.isOnDisk = false
                        $0.isFenced = false
                        $0.also = { scene in scene.delay(of: "b", "new", in: "b.yaml", upTo: .milliseconds(1_200)) }
                    }),
                Step(
                    "await test -e done",
                    Expectation(reloads: 1...20).with {
                        $0.also = { scene in
                            let (scans, share) = (scene.watcher.status.scans, scene.processorShare)
                            return scans > 400 || share > 0.25 ? ["\(scans) scans, \(share) of a core"] : []
                        }
                    }),
            ], needs: .tools("python3"))
    }

    private static let storm = Row.row(
        28, "50,000 unrelated events a second, beside edits",
        steps: [
            // The events come for a while before the edit.
            Step("{ saves storm t 6 50000 > rate; : > done; } & sleep 1; item a new > t/a.yaml"),
            Step("sed -i s/new/newer/ t/a.yaml", .sets(["a": "newer"])),
            Step(
                "await test -e done",
                .nothing.with {
                    $0.also = { scene in
                        let (overflows, rate) = (scene.watcher.status.overflows, scene.place.read("rate") ?? "")
                        return overflows > 0 || (Int(rate.prefix { $0.isNumber }) ?? 0) < 45_000
                            ? ["\(overflows) overflows at \(rate)"] : []
                    }
                }),
        ], needs: .tools("python3"))
}

extension Scene {
    /// What is wrong with the time from the last write of a file to a definition being in force.
    fileprivate func delay(of id: String, _ name: String, in file: String, upTo limit: Duration) -> [String] {
        guard let written = Timestamp.change(of: "\(root)/\(file)"),
            let state = states.value.first(where: { $0.items[id] == name })
        else { return ["\(id) is not \(name)"] }
        let delay = written.duration(to: state.arrival)
        return delay > limit ? ["\(id) in force after \(delay)"] : []
    }
}

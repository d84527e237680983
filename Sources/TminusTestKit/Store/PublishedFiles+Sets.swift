package import TminusCore

extension PublishedFiles {
    /// Works out by brute force what a machine knows of sets of files, by path, that were in force one after the other. It had the one with
    /// the index `base` last.
    package init(sets: [[String: String]], base: Int?) {
        func digest(_ text: String) -> String { KeptFile(path: "", content: Array(text.utf8)).digest }
        let last = sets[sets.count - 1]
        self.init(
            kept: KeptFiles(
                files: last.sorted { $0.key < $1.key }.map { KeptFile(path: $0.key, content: Array($0.value.utf8)) }),
            base: base.map { sets[$0].mapValues(digest) })
        for path in Set(sets.flatMap(\.keys)) {
            var wasThere = false
            for (index, set) in sets.enumerated() where index >= base ?? 0 {
                if let text = set[path] {
                    wasThere = true
                    guard index != base, text != last[path] else { continue }
                    replaced[path, default: []].insert(digest(text))
                } else if wasThere, last[path] != nil {
                    removed.insert(path)
                }
            }
        }
    }
}

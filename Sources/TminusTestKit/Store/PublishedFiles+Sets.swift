package import TminusCore

extension PublishedFiles {
    /// Works out by brute force what a machine knows of sets of files, by path, that were in force one after the other.
    ///
    /// - Parameters:
    ///   - base: The index of the last set that it had whole.
    ///   - bases: For single files, by path: the index of a later set whose content it had.
    package init(sets: [[String: String]], base: Int, bases: [String: Int] = [:]) {
        func digest(_ text: String) -> String { KeptFile(path: "", content: Array(text.utf8)).digest }
        let last = sets[sets.count - 1]
        self.init(
            kept: KeptFiles(
                files: last.sorted { $0.key < $1.key }.map { KeptFile(path: $0.key, content: Array($0.value.utf8)) }))
        for path in Set(sets.flatMap(\.keys)) {
            let first = bases[path] ?? base
            self.base[path] = sets[first][path].map(digest)
            for (index, set) in sets.enumerated() where index >= first && set[path] != last[path] {
                // That a file was not there yet says nothing.
                let isKnown = set[path] != nil || sets[..<index].contains { $0[path] != nil }
                if index > first, isKnown { replaced[path, default: []].insert(set[path].map(digest)) }
                let wasInForce = sets[first..<index].contains { $0[path] == last[path] }
                if wasInForce, last[path] != nil { returned.insert(path) }
            }
        }
    }
}

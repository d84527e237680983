/// Finds similar names, for "did you mean".
package enum Suggestion {
    /// The candidate with the smallest edit distance to `text`, if it is near enough to be a likely typing error: at
    /// most a third of the letters differ, or one.
    package static func nearest(to text: String, in candidates: some Sequence<String>) -> String? {
        near(to: text, in: candidates, limit: 1).first
    }

    /// The candidates that are likely meant, nearest first, at most `limit`.
    package static func near(to text: String, in candidates: some Sequence<String>, limit: Int) -> [String] {
        let typed = Array(text.lowercased().unicodeScalars)
        guard typed.count <= 64 else { return [] }
        var best: [(name: String, distance: Int)] = []
        for candidate in candidates {
            let name = Array(candidate.lowercased().unicodeScalars)
            let allowed = max(1, max(typed.count, name.count) / 3)
            guard abs(name.count - typed.count) <= allowed else { continue }
            let distance = editDistance(typed, name)
            guard distance <= allowed, best.count < limit || distance < best[best.count - 1].distance else { continue }
            best.insert((candidate, distance), at: best.firstIndex { $0.distance > distance } ?? best.count)
            if best.count > limit { best.removeLast() }
        }
        return best.map(\.name)
    }

    /// The zone to suggest for an unknown name: one of the city with that name, else the one with the nearest name.
    package static func zone(for name: String, in zones: [String]) -> String? {
        let city = "/" + name.lowercased().replacing(" ", with: "_")
        return zones.first { $0.lowercased().hasSuffix(city) } ?? nearest(to: name, in: zones)
    }

    /// `, did you mean 'x'?`, or an empty text.
    package static func phrase(for text: String, in candidates: some Sequence<String>) -> String {
        nearest(to: text, in: candidates).map { ", did you mean '\($0)'?" } ?? ""
    }

    /// The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours
    /// (Damerau, "A technique for computer detection and correction of spelling errors", 1964).
    private static func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [Int](repeating: i, count: b.count + 1)
            for j in 1...b.count {
                row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    row[j] = min(row[j], beforeLast[j - 2] + 1)
                }
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}

import FoundationEssentials
package import TminusCore

extension Transaction {
    /// The kept files of a directory that are readable and undamaged, and the named sinks in force.
    package func keptFiles(root: String) throws -> KeptFiles {
        var kept = KeptFiles()
        try forEach(KeptFileStatements.ofRoot, root) { row in
            guard let path = try? row.text(0), let content = try? row.bytes(1), let digest = try? row.text(2),
                let file = KeptFile(path: path, content: content, digest: digest)
            else { return }
            kept.files.append(file)
        }
        let decoder = JSONDecoder()
        try forEach(SinkStatements.named) { row in
            let text = try row.text(0)
            if let spec = try? decoder.decode(SinkSpec.self, from: Data(text.utf8)) { kept.sinks.append(spec) }
        }
        return kept
    }

    /// The directories that have kept files.
    func keptRoots() throws -> [String] {
        var roots: [String] = []
        try forEach(KeptFileStatements.roots) { row in roots.append(try row.text(0)) }
        return roots
    }

    /// Replaces the kept contents of `changed`, and removes those of `forget`.
    package func keep(_ changed: [KeptFile], forget: [String], root: String, now: Timestamp) throws {
        if root != KeptFiles.fleetRoot { try post(KeptFileStatements.adopt, root) }
        for path in forget { try post(KeptFileStatements.forget, root, path) }
        for file in changed {
            try post(KeptFileStatements.write, root, file.path, file.content, file.digest, now)
        }
    }
}

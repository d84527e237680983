import FoundationEssentials
import GRDB
import TminusCore

extension Transaction {
    /// The files of a directory that can be read and are what was written, and the named sinks in force.
    func keptFiles(root: String) throws -> KeptFiles {
        var kept = KeptFiles()
        try forEach(KeptFileStatements.ofRoot, [root]) { row in
            if let file = try? row.keptFile() { kept.files.append(file) }
        }
        let decoder = JSONDecoder()
        try forEach(SinkStatements.named) { row in
            guard let text: String = try? row.value(0) else { return }
            if let spec = try? decoder.decode(SinkSpec.self, from: Data(text.utf8)) { kept.sinks.append(spec) }
        }
        return kept
    }

    /// Puts contents in the place of what was kept, and removes the rest.
    func keep(_ changed: [KeptFile], forget: [String], root: String, now: Timestamp) throws {
        for path in forget { try run(KeptFileStatements.forget, [root, path]) }
        for file in changed {
            try run(
                KeptFileStatements.write, [root, file.path, Data(file.content), file.digest, now.nanoseconds])
        }
    }
}

extension Row {
    /// A row with the columns of ``KeptFileStatements/ofRoot``; nil if the content is not what was written.
    fileprivate func keptFile() throws -> KeptFile? {
        let content: Data = try value(1)
        return KeptFile(path: try value(0), content: [UInt8](content), digest: try value(2))
    }
}

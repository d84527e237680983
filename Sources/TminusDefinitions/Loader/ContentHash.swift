package import TminusCore

/// Identifies the content in force in a directory: the same files give the same hash on every machine and after every
/// start.
///
/// The hash covers the content and not its meaning, which depends on the machine: on its time zone and the path of the
/// directory. A file with errors counts with its last good content. If two files define the same id, the hash does not
/// depend on which of them owns it.
enum ContentHash {
    /// The first 128 bits of a SHA-256 over path, NUL, digest, NUL of each file in force, sorted by path.
    static func of(_ files: [FileReport]) -> String { of(files.map { ($0.path, $0.digest) }) }

    fileprivate static func of(_ files: [(path: String, digest: String?)]) -> String {
        var parts: [String] = []
        parts.reserveCapacity(2 * files.count)
        for file in files {
            guard let digest = file.digest else { continue }
            parts.append(file.path)
            parts.append(digest)
        }
        return Digest128.hexadecimal(of: parts)
    }
}

extension DirectoryContents {
    /// Identifies the files as they are. It is the hash of the content in force if none of them has an error.
    package var hash: String { ContentHash.of(files.map { ($0.path, $0.digest) }) }
}

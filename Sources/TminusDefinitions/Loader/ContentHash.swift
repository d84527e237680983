import TminusCore

/// Identifies what is in force in a directory: the same files give the same hash on every machine and after every start.
///
/// It is of the contents and not of their meaning, because the meaning depends on the machine: on its time zone and on where the
/// directory lies. A file with errors counts with its last good content. Which of two files has an id that both define
/// does not count.
enum ContentHash {
    /// The first 128 bits of a SHA-256 over path, NUL, digest, NUL of each file in force, in the order of the paths.
    static func of(_ files: [FileReport]) -> String {
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

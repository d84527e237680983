internal import Glibc

/// Directories of files.
package enum ParentDirectory {
    /// The directory of an absolute path.
    package static func of(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Flushes the names in a directory to disk: a new name survives a power cut only then (fsync(2)). Some file systems cannot.
    package static func sync(_ directory: String) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}

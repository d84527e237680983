internal import Glibc

/// Lists directories.
package enum DirectoryNames {
    /// The names in a directory, sorted by their bytes, without `.` and `..`. A name that is not UTF-8 is `nil` in the list.
    package static func of(_ path: String) throws(SystemError) -> [String?] {
        guard let stream = opendir(path) else {
            throw SystemError("\(path): cannot be read: \(ErrorText.last)", .ofErrno)
        }
        defer { closedir(stream) }
        var names: [String?] = []
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        errno = 0
        while let entry = readdir(stream) {
            let name = String(validatingCString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw SystemError("\(path): cannot be read: \(ErrorText.last)", .ofErrno) }
        return names.sorted { ($0 ?? "").utf8.lexicographicallyPrecedes(($1 ?? "").utf8) }
    }
}

import Glibc

/// What the process of the tests has in use, by proc(5).
enum Own {
    /// Resident memory.
    static var residentKilobytes: Int {
        let line = lines(of: "/proc/self/status").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    /// Open descriptors.
    static var openFiles: Int { names(in: "/proc/self/fd").count }

    /// How the watches of the one inotify instance differ from the directories below the root of a scene, beside those
    /// `steps` above it.
    static func watchFaults(of scene: Scene, steps: Int) -> [String] {
        let watches = names(in: "/proc/self/fdinfo").flatMap { lines(of: "/proc/self/fdinfo/\($0)") }
            .filter { $0.hasPrefix("inotify wd:") }
        let inodes = watches.compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("ino:") }.flatMap { UInt64($0.dropFirst(4), radix: 16) }
        }
        let expected = directories(below: scene.root)
        let missing = expected.subtracting(inodes)
        return missing.isEmpty && inodes.count == expected.count + steps
            ? [] : ["\(inodes.count) watches for \(expected.count) directories, \(missing.count) without one"]
    }

    private static func directories(below path: String) -> Set<UInt64> {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return [] }
        return names(in: path).reduce(into: [UInt64(status.st_ino)]) { found, name in
            if name.first != "." { found.formUnion(directories(below: "\(path)/\(name)")) }
        }
    }

    private static func names(in path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func lines(of path: String) -> [String] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer.prefix(count) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

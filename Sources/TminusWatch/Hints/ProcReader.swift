#if Inotify
    import Glibc

    /// Reads files in /proc (proc(5)).
    struct ProcReader {
        private static let watch = Array("inotify wd:".utf8)
        private static let inode = Array("ino:".utf8)

        /// A whole file; nil if it cannot be read.
        func contents(of path: RawPath) -> [UInt8]? {
            let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = read(descriptor, &chunk, chunk.count)
                if count < 0 { return nil }
                if count == 0 { return bytes }
                bytes += chunk[..<count]
            }
        }

        /// The sorted inodes of all watches of an inotify instance; nil if the kernel does not list them.
        ///
        /// A watch is a line `inotify wd:1 ino:f7a0b3 sdev:fe00000 ...`. The device is not compared: it is written in
        /// another form than in stat(2), and some file systems have two numbers for it.
        func watchedInodes(of descriptor: Int32) -> [UInt64]? {
            guard let bytes = contents(of: RawPath("/proc/self/fdinfo/\(descriptor)")) else { return nil }
            let inodes = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line -> UInt64? in
                guard line.starts(with: Self.watch) else { return nil }
                let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
                guard let field = fields.first(where: { $0.starts(with: Self.inode) }) else { return nil }
                return UInt64(String(decoding: field.dropFirst(Self.inode.count), as: UTF8.self), radix: 16)
            }
            return inodes.sorted()
        }

        /// The open descriptors of this process that are inotify instances.
        func inotifyDescriptors() -> Set<Int32> {
            guard let stream = opendir("/proc/self/fd") else { return [] }
            defer { closedir(stream) }
            var found: Set<Int32> = []
            while let entry = readdir(stream) {
                let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
                let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
                guard let number = Int32(String(cString: name)) else { continue }
                var target = [UInt8](repeating: 0, count: 64)
                let length = readlinkat(dirfd(stream), name, &target, target.count)
                if length > 0, String(decoding: target.prefix(length), as: UTF8.self).hasSuffix("inotify") {
                    found.insert(number)
                }
            }
            return found
        }
    }
#endif

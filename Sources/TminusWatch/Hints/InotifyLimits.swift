#if Inotify
    import Glibc

    /// Explains the failures of inotify(7) by the limits that cause them.
    enum InotifyLimits {
        /// The failure that `code`, an `errno`, stands for when watches are made.
        static func failure(_ code: Int32) -> HintFailure {
            switch code {
            case ENOSPC: limit("max_user_watches", suggestion: 524_288, "this user has no inotify watches left")
            case EMFILE:
                limit("max_user_instances", suggestion: 1_024, "no inotify instances (or no file descriptors) are left")
            default: HintFailure(reason: "inotify failed: \(FailureText.name(of: code))")
            }
        }

        private static func limit(_ name: String, suggestion: Int, _ what: String) -> HintFailure {
            let current = value(of: name).map { "fs.inotify.\(name) is \($0)" } ?? "see fs.inotify.\(name)"
            let command = "sudo sysctl fs.inotify.\(name)=\(max(suggestion, (value(of: name) ?? 0) * 2))"
            return HintFailure(reason: "\(what): \(current), raise it with '\(command)'")
        }

        private static func value(of name: String) -> Int? {
            let reader = ProcReader()
            guard let bytes = reader.contents(of: RawPath("/proc/sys/fs/inotify/\(name)")) else { return nil }
            return Int(String(decoding: bytes.prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self)).map {
                min($0, 1 << 30)
            }
        }
    }

    /// Reads what the kernel tells in /proc, proc(5).
    struct ProcReader {
        /// The first 4,096 bytes of a file; nil if it cannot be read.
        func contents(of path: RawPath) -> [UInt8]? {
            let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, filled in
                count = read(descriptor, buffer.baseAddress, buffer.count)
                filled = max(0, count)
            }
            return count < 0 ? nil : bytes
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

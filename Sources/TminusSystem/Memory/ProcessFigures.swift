internal import Glibc

/// What the kernel says of this process, for metrics.
package struct ProcessFigures: Sendable {
    /// Processor time since the start, of user and system.
    package var processorTime: Duration
    /// Resident memory, in bytes; nil if it is unknown.
    package var residentBytes: Int?
    /// The number of open file descriptors; nil if it is unknown.
    package var openDescriptors: Int?
    /// The most file descriptors that may be open; nil: no limit.
    package var descriptorLimit: UInt64?

    /// The figures now.
    package static var current: ProcessFigures {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        var limit = rlimit()
        let hasLimit =
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 && limit.rlim_cur != rlim_t.max
        return ProcessFigures(
            processorTime: duration(usage.ru_utime) + duration(usage.ru_stime),
            residentBytes: residentPages.map { $0 &* pageSize }, openDescriptors: openCount,
            descriptorLimit: hasLimit ? UInt64(clamping: limit.rlim_cur) : nil)
    }

    /// The size of a file, in bytes; nil if there is none.
    package static func size(ofFile path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(clamping: status.st_size) : nil
    }

    private static let pageSize = sysconf(CInt(clamping: _SC_PAGESIZE))

    private static func duration(_ time: timeval) -> Duration {
        .seconds(Int64(clamping: time.tv_sec)) + .microseconds(Int64(clamping: time.tv_usec))
    }

    /// The second field of /proc/self/statm (proc_pid_statm(5)).
    private static var residentPages: Int? {
        guard let bytes = FileBytes.read("/proc/self/statm", limit: 1 << 12) else { return nil }
        return bytes.split(separator: 0x20).dropFirst().first
            .map { String(decoding: $0, as: UTF8.self) }.flatMap { Int($0) }
    }

    private static var openCount: Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while let entry = readdir(directory) {
            // Every name but "." and "..".
            if entry.pointee.d_name.0 != 0x2E { count += 1 }
        }
        // The directory itself is open as well.
        return max(0, count - 1)
    }
}

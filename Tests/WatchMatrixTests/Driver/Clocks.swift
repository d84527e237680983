import Glibc
import TminusCore

extension Timestamp {
    /// The time of the machine's clock, by which files are stamped too.
    static var wall: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(time)
    }

    /// When the content, the name or an attribute of what is at `path` was changed last; nil if there is nothing.
    static func change(of path: String) -> Timestamp? {
        var own = stat()
        guard lstat(path, &own) == 0 else { return nil }
        var target = stat()
        return stat(path, &target) == 0
            ? max(Timestamp(own.st_ctim), Timestamp(target.st_ctim)) : Timestamp(own.st_ctim)
    }

    private init(_ time: timespec) {
        self.init(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

extension Duration {
    /// What this process has taken of all cores.
    static var processorTime: Duration {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return .seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + .microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }
}

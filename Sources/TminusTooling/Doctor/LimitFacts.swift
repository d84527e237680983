internal import TminusSystem

/// Limits of the kernel beside what the daemon needs.
struct LimitFacts: Sendable {
    /// How many directories the processes of the user may watch; nil if it is hidden.
    var watches: SystemLimits.Setting?
    /// How many instances of inotify they may have; nil if it is hidden.
    var instances: SystemLimits.Setting?
    /// How many descriptors the daemon can have open; nil if it is hidden.
    var descriptors: Int?
    /// How many directories the daemon watches.
    var directories: Int

    /// Other programs of the user watch too, an editor often thousands of directories.
    private static let otherWatches = 1_024
    private static let fewInstances = 16
    /// Each running command takes three, each connection one; the store, the sockets and watches a few dozen.
    private static let fewDescriptors = 1_024

    /// Those of this machine. `process` is the daemon, or this process.
    static func ofMachine(process: Int32, directories: Int) -> Self {
        Self(
            watches: SystemLimits.watches, instances: SystemLimits.instances,
            descriptors: SystemLimits.descriptors(of: process), directories: directories)
    }

    /// What is too low.
    var findings: [Finding] {
        var found: [Finding] = []
        if let watches, watches.value < directories + Self.otherWatches {
            found.append(
                Finding(
                    .warning, .inotifyWatches, watches.name,
                    "is \(watches.value) for all programs of the user, and the config directory has "
                        + FindingText.count(directories, "directory", "directories") + " to watch",
                    fix: Self.sysctl(watches.name, 524_288)))
        }
        if let instances, instances.value < Self.fewInstances {
            found.append(
                Finding(
                    .warning, .inotifyInstances, instances.name,
                    "is \(instances.value) for all programs of the user, and tminus needs one of its own",
                    fix: Self.sysctl(instances.name, 1_024)))
        }
        if let descriptors, descriptors < Self.fewDescriptors {
            found.append(
                Finding(
                    .warning, .descriptors, "RLIMIT_NOFILE",
                    "the hard limit is \(descriptors) open files, too few for many commands and requests at once",
                    fix:
                        "LimitNOFILE=65536 under [Service] with 'systemctl edit tminus', or 'ulimit -Hn 65536' before 'tminus run'"
                ))
        }
        return found
    }

    private static func sysctl(_ name: String, _ value: Int) -> String {
        "echo \(name)=\(value) | sudo tee /etc/sysctl.d/60-tminus.conf && sudo sysctl --system"
    }
}

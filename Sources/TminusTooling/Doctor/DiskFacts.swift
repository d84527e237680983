internal import TminusSystem

/// The file system of the store.
struct DiskFacts: Sendable {
    /// The directory of the store.
    var path: String
    /// The type of its file system, such as `ext4`; nil if it is unknown.
    var type: String?
    /// The room on it; nil if it is unknown.
    var room: DiskRoom?

    private static let memory: Set<String> = ["tmpfs", "ramfs"]
    private static let (full, low): (UInt64, UInt64) = (16 << 20, 256 << 20)
    private static let fewFiles: UInt64 = 1_000

    /// The one of `path`, an absolute path without symbolic links. A network file system is not asked for its room, because it
    /// may not answer.
    static func ofMachine(_ path: String, mounts: MountTable = .ofProcess) -> Self {
        var facts = Self(path: path, type: mounts.type(of: path))
        if !facts.isNetwork { facts.room = DiskRoom(at: path) }
        return facts
    }

    /// Whether it is on another machine.
    var isNetwork: Bool { type.map(MountTable.isNetwork) ?? false }

    /// What is wrong.
    var findings: [Finding] {
        if isNetwork, let type {
            return [
                Finding(
                    .error, .networkFileSystem, path,
                    "is on a network file system (\(type)), where SQLite can damage the store",
                    fix:
                        "stop tminus, copy the state directory to a local disk, and name it with --state or StateDirectory="
                )
            ]
        }
        var found: [Finding] = []
        if let type, Self.memory.contains(type) {
            found.append(
                Finding(
                    .warning, .memoryFileSystem, path,
                    "is in memory (\(type)): countdowns do not survive a restart of the machine",
                    fix: "name a directory on a disk with --state"))
        }
        guard let room else { return found }
        let fix = "free space: df -h \(ShellWord.quoted(path)) names the file system"
        let megabytes = "\(room.bytes >> 20) MiB are free on the disk of the store"
        if room.bytes < Self.full {
            found.append(Finding(.error, .diskFull, path, "only \(megabytes); soon nothing can be recorded", fix: fix))
        } else if room.bytes < Self.low {
            found.append(Finding(.warning, .diskLow, path, "only \(megabytes)", fix: fix))
        }
        if let files = room.files, files < Self.fewFiles {
            found.append(
                Finding(
                    .warning, .inodesLow, path, "only \(files) more files can be made on the disk of the store",
                    fix: "remove files: df -i \(ShellWord.quoted(path)) names the file system"))
        }
        return found
    }
}

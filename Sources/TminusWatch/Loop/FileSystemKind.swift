/// Which changes a file system reports (statfs(2)): a greater value reports less.
enum FileSystemKind: Int, Sendable, Comparable {
    /// All changes.
    case local
    /// Changes made through the mount, not those made in the layers below.
    case overlay
    /// Not the changes that other machines or processes make behind it.
    case silent

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The kind of a magic number of <linux/magic.h>.
    init(magic: UInt32) {
        switch magic {
        // NFS, SMB (three generations), 9p, FUSE, AFS (two), Ceph.
        case 0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x6573_5546, 0x5346_414F, 0x6B41_4653, 0x00C3_6400:
            self = .silent
        case 0x794C_7630: self = .overlay
        default: self = .local
        }
    }
}

import TminusCore

/// Updates a snapshot from the disk, file by file.
struct SnapshotReader: Sendable {
    /// The result of updating one file.
    enum Outcome {
        /// The content in the snapshot changed.
        case changed
        /// The content is the same.
        case same
        /// Only white space and comments are left of a file that had content, which may be the first half of a save.
        /// The snapshot keeps the old content.
        case blank
        /// It was written during the read. The snapshot keeps the old content.
        case changing
        /// It has vanished since it was listed. The snapshot keeps the old content until a listing confirms that.
        case vanished
    }

    /// A write that is closer than this to a read may leave the times unchanged: the coarsest time stamps in use (FAT)
    /// tick every two seconds.
    private static let racyTime: Int64 = 2_000_000_000

    /// The absolute path of the directory.
    let root: RawPath
    /// The reader of single files.
    let reader: FileReader

    /// Reads the file at `path` below the root into `snapshot`, or removes it there if it is gone.
    ///
    /// - Parameters:
    ///   - isBlankMeant: whether to accept a file that has become blank.
    ///   - wallTime: nanoseconds since the epoch, for the files' ages.
    func update(
        _ path: RawPath, in snapshot: inout Snapshot, listing: Listing, isBlankMeant: Bool = true, wallTime: Int64
    ) -> Outcome {
        guard let observation = listing.files[path] else { return snapshot.remove(path) ? .changed : .same }
        let isChanged: Bool
        switch observation {
        case .special(let reason):
            isChanged = snapshot.put(path, observation, .unreadable(reason: reason), isDoubtful: false)
        case .regular:
            switch reader.read(root.appending(path.bytes)) {
            case .bytes(let bytes, let stamp):
                if !isBlankMeant, Blank.isBlank(bytes), let entry = snapshot.entries[path],
                    case .bytes(let former) = entry.content, !Blank.isBlank(former)
                {
                    return .blank
                }
                let (age, overflow) = wallTime.subtractingReportingOverflow(stamp.modified)
                let isRacy = !overflow && age > -Self.racyTime && age < Self.racyTime
                isChanged = snapshot.put(path, .regular(stamp), .bytes(bytes), isDoubtful: isRacy)
            case .unreadable(let reason, let transient):
                isChanged = snapshot.put(path, observation, .unreadable(reason: reason), isDoubtful: transient)
            case .changing: return .changing
            case .vanished: return .vanished
            }
        }
        return isChanged ? .changed : .same
    }

    /// Reports a file that changes during every read.
    func giveUp(on path: RawPath, in snapshot: inout Snapshot, listing: Listing) -> Outcome {
        guard let observation = listing.files[path] else { return .same }
        let reason = "changes whenever it is read: write it beside and rename it into place"
        return snapshot.put(path, observation, .unreadable(reason: reason), isDoubtful: true) ? .changed : .same
    }
}

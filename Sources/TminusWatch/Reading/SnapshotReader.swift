import TminusCore

/// Brings a snapshot up to date with what is on the disk, file by file.
struct SnapshotReader: Sendable {
    /// What came of bringing one file up to date.
    enum Outcome {
        /// The snapshot now says something else about it.
        case changed
        /// Nothing new.
        case same
        /// Nothing but white space and comments is left where there was more, which may be one half of a save: the
        /// snapshot keeps the old content.
        case blank
        /// It was written during the read: the snapshot keeps the old content.
        case changing
        /// It has gone since it was listed: the snapshot keeps the old content until a listing says so.
        case vanished
    }

    /// Writes closer than this to a read may hide behind equal times: the coarsest time stamps in use (FAT) tick every
    /// two seconds.
    private static let racyTime: Int64 = 2_000_000_000

    /// The absolute path of the directory.
    let root: RawPath
    /// Reads single files.
    let reader: FileReader

    /// Reads the file at `path` below the root into `snapshot`, or takes it out if it is gone.
    ///
    /// - Parameters:
    ///   - isBlankMeant: whether a file of which nothing is left is taken for meant.
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

    /// Reports a file that never holds still.
    func giveUp(on path: RawPath, in snapshot: inout Snapshot, listing: Listing) -> Outcome {
        guard let observation = listing.files[path] else { return .same }
        let reason = "changes whenever it is read: write it beside and rename it into place"
        return snapshot.put(path, observation, .unreadable(reason: reason), isDoubtful: true) ? .changed : .same
    }
}

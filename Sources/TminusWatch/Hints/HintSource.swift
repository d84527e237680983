import TminusSystem

/// Something that says where to look again. Belongs to the thread of one ``WatchLoop``; ends when it is released.
///
/// Hints may be merged, late or superfluous; a hint that is missing is made up for by the timed rescan.
protocol HintSource: AnyObject {
    /// To be polled for input.
    var descriptor: Int32 { get }

    /// How often all watches were made anew.
    var resets: Int { get }

    /// Hands over all hints that are there, without waiting. Returns how many notifications there were, those without
    /// meaning among them.
    func drain(_ receive: (Hint) -> Void) -> Int

    /// Prepares for a walk over `root`: makes all watches anew if hints say so, and watches for the root's coming and
    /// going.
    func beginScan(of root: RawPath, receive: (Hint) -> Void) throws(HintFailure)

    /// Watches a directory of the tree, before its entries are listed.
    func watch(_ path: RawPath, identity: FileIdentity) throws(HintFailure)

    /// Ends a walk: watches the targets of links, and finds out whether the watches are those of the tree just listed.
    ///
    /// Returns false if they are not: begin another scan.
    func endScan(_ listing: Listing) throws(HintFailure) -> Bool

    /// How much can be expected of the file system that holds `path`.
    func fileSystem(of path: RawPath) -> FileSystemKind
}

/// What a notification comes down to.
enum Hint: Sendable, Hashable {
    /// Something happened to the definition file at the path below the root.
    case file(RawPath, FileEvent)
    /// A directory, its path below the root, came into place as a whole.
    case arrival(RawPath)
    /// Something else changed that matters.
    case something
    /// The watches no longer fit the tree.
    case structure
    /// The kernel's queue was full: anything may have changed.
    case overflow
}

/// Why there are no notifications.
struct HintFailure: Error, Equatable {
    /// One sentence without a full stop: what happened, which limit, its value, and what to do.
    var reason: String
}

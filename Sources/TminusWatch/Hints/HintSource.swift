import TminusSystem

/// Reports where files may have changed. Belongs to the thread of one ``WatchLoop``, and ends when it is released.
///
/// Hints may be merged, late or superfluous. The timed rescan makes up for missing ones.
protocol HintSource: AnyObject {
    /// The descriptor to poll for input.
    var descriptor: Int32 { get }

    /// How many times all watches have been recreated.
    var resets: Int { get }

    /// Passes on all hints that are ready, without waiting. Returns the number of notifications, also of those without
    /// a hint.
    func drain(_ receive: (Hint) -> Void) -> Int

    /// Prepares a walk over `root`: recreates all watches if hints require it, and watches for the creation and removal
    /// of the root.
    func beginScan(of root: RawPath, receive: (Hint) -> Void) throws(HintFailure)

    /// Watches a directory of the tree, before its entries are listed.
    func watch(_ path: RawPath, identity: FileIdentity) throws(HintFailure)

    /// Ends a walk: watches the targets of links, and checks that the watches match the tree just listed.
    ///
    /// Returns false if they do not match; then scan again.
    func endScan(_ listing: Listing) throws(HintFailure) -> Bool

    /// Which changes the file system that holds `path` reports.
    func fileSystem(of path: RawPath) -> FileSystemKind
}

/// The meaning of a notification.
enum Hint: Sendable, Hashable {
    /// An event of the definition file at this path below the root.
    case file(RawPath, FileEvent)
    /// A directory was moved into place with its content. The path is below the root.
    case arrival(RawPath)
    /// Another change that may affect definitions.
    case something
    /// The watches no longer match the tree.
    case structure
    /// The kernel's queue overflowed, so anything may have changed.
    case overflow
}

/// Why notifications are not available.
struct HintFailure: Error, Equatable {
    /// One sentence without a full stop: what happened, which limit, its value, and what to do.
    var reason: String
}

/// What kind of thing is wrong: the code in the report, in kebab-case. Codes are added, never renamed.
package enum FindingCode: String, Sendable, Hashable, CaseIterable {
    // Limits of the kernel.
    case inotifyWatches = "inotify-watches"
    case inotifyInstances = "inotify-instances"
    case descriptors
    // The wall clock.
    case clockUnsynchronised = "clock-unsynchronised"
    case clockWrong = "clock-wrong"
    // Time zones.
    case zoneDataMissing = "zone-data-missing"
    case zoneDataOld = "zone-data-old"
    case machineZone = "machine-zone"
    case unknownZone = "unknown-zone"
    // Owners and modes.
    case othersCanWrite = "others-can-write"
    case othersCanRead = "others-can-read"
    case otherOwner = "other-owner"
    // The disk of the store.
    case diskFull = "disk-full"
    case diskLow = "disk-low"
    case inodesLow = "inodes-low"
    case networkFileSystem = "network-file-system"
    case memoryFileSystem = "memory-file-system"
    case noAnswer = "no-answer"
    // The store.
    case storeDamaged = "store-damaged"
    case storeNewer = "store-newer"
    case storeOlder = "store-older"
    case storeEmpty = "store-empty"
    case storeRefused = "store-refused"
    case storeUnchecked = "store-unchecked"
    case storeLog = "store-log"
    case damagedRows = "damaged-rows"
    // The definitions and the daemon.
    case noConfig = "no-config"
    case fileBroken = "file-broken"
    case noDaemon = "no-daemon"
    case daemonSilent = "daemon-silent"
    case daemonOfOther = "daemon-of-other"
    case otherVersion = "other-version"
    case notInForce = "not-in-force"
    case storeTrouble = "store-trouble"
    case directoryTrouble = "directory-trouble"
    case deadLetters = "dead-letters"
    case missingSink = "missing-sink"
    case unplacedSink = "unplaced-sink"
    case otherFiles = "other-files"
    case polling
    case unitType = "unit-type"
    case noWatchdog = "no-watchdog"
    case strictProfile = "strict-profile"
    // What sinks need.
    case sinkNeed = "sink-need"
    case noAddress = "no-address"
    case noConnection = "no-connection"
}

/// The definition files that the machines of a fleet have in force, and how they came to be, as one of these machines needs to know it when
/// it begins to lead.
package struct PublishedFiles: Sendable, Equatable {
    /// The contents in force.
    package var kept: KeptFiles
    /// The digest of what was in force of each file when this machine had that for the last time, by path. A file that it never had, or too
    /// long ago, is not there.
    package var base: [String: String]
    /// The digests of what was in force after that and no longer is, by path. Nil is a file that was removed.
    package var replaced: [String: Set<String?>]
    /// The paths whose content in force was replaced after that, and came back.
    package var returned: Set<String>

    /// What was in force.
    package init(
        kept: KeptFiles = KeptFiles(), base: [String: String] = [:], replaced: [String: Set<String?>] = [:],
        returned: Set<String> = []
    ) {
        self.kept = kept
        self.base = base
        self.replaced = replaced
        self.returned = returned
    }
}

/// A change of the files that the machines of a fleet have in force.
package struct PublishedChange: Sendable, Equatable {
    /// Files with new content.
    package var changed: [KeptFile]
    /// The paths of files that are gone.
    package var forgotten: [String]
    /// Identifies all files in force.
    package var hash: String
    /// Whether the machine that publishes has these files, so that none is behind.
    package var isWhole: Bool
    /// The paths of files that it now has as they are in force.
    package var arrived: [String]
    /// The version of the zone data by which they were read, such as `2025b`; nil if unknown.
    package var zoneData: String?

    /// A change.
    package init(
        changed: [KeptFile], forgotten: [String], hash: String, isWhole: Bool, arrived: [String] = [],
        zoneData: String? = nil
    ) {
        self.changed = changed
        self.forgotten = forgotten
        self.hash = hash
        self.isWhole = isWhole
        self.arrived = arrived
        self.zoneData = zoneData
    }
}

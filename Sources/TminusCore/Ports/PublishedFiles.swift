/// The definition files that the machines of a fleet have in force, and how they came to be, as one of these machines needs to know it when
/// it begins to lead.
package struct PublishedFiles: Sendable, Equatable {
    /// The contents in force.
    package var kept: KeptFiles
    /// The digests of the files that were in force when this machine had them all for the last time, by path; nil if it never had them,
    /// or too long ago.
    package var base: [String: String]?
    /// The digests of contents that were in force after that and no longer are, by path.
    package var replaced: [String: Set<String>]
    /// The paths of files that were removed after that, and are in force again.
    package var removed: Set<String>

    /// What was in force.
    package init(
        kept: KeptFiles = KeptFiles(), base: [String: String]? = nil, replaced: [String: Set<String>] = [:],
        removed: Set<String> = []
    ) {
        self.kept = kept
        self.base = base
        self.replaced = replaced
        self.removed = removed
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
    /// The version of the zone data by which they were read, such as `2025b`; nil if unknown.
    package var zoneData: String?

    /// A change.
    package init(changed: [KeptFile], forgotten: [String], hash: String, isWhole: Bool, zoneData: String? = nil) {
        self.changed = changed
        self.forgotten = forgotten
        self.hash = hash
        self.isWhole = isWhole
        self.zoneData = zoneData
    }
}

import TminusCore

/// Which names are read. Events and scans use the same functions, so they always agree.
enum NameFilter {
    /// The entry of a Kubernetes volume that is replaced as a whole: a link to the directory with the current files.
    static let volumeData = Array("..data".utf8)

    /// Whether a file of that name is a definition file: `.yaml`, `.yml` or `.json` in any case, not hidden, and no JSON
    /// Schema.
    static func isDefinition(_ name: some BidirectionalCollection<UInt8>) -> Bool {
        !isHidden(name) && suffixes.contains { hasSuffix(name, $0) } && !isSchema(name)
    }

    /// Whether a file of that name is a JSON Schema for definition files.
    static func isSchema(_ name: some BidirectionalCollection<UInt8>) -> Bool { hasSuffix(name, schemaSuffix) }

    /// Whether a directory of that name is read.
    static func isDirectory(_ name: some BidirectionalCollection<UInt8>) -> Bool {
        !isHidden(name) && !suffixes.contains { hasSuffix(name, $0) }
    }

    /// Names that are never read: lock, swap and backup files of editors, `.git`, and names that Kubernetes reserves.
    static func isHidden(_ name: some BidirectionalCollection<UInt8>) -> Bool {
        guard let first = name.first else { return true }
        return first == UInt8(ascii: ".") || first == UInt8(ascii: "#") || name.last == UInt8(ascii: "~")
    }

    /// Why a file of that name is not read; nil if it is.
    static func objection(to name: [UInt8]) -> IgnoredEntry.Reason? {
        if name.last == UInt8(ascii: "~") { return .backup }
        if isHidden(name) { return .hidden }
        return isDefinition(name) ? nil : isSchema(name) ? .schema : .suffix
    }

    private static let suffixes = DefinitionPath.suffixes.map { Array($0.utf8) }
    private static let schemaSuffix = Array(DefinitionPath.schemaSuffix.utf8)

    private static func hasSuffix(_ name: some BidirectionalCollection<UInt8>, _ suffix: [UInt8]) -> Bool {
        // ASCII letters differ from their lower case in one bit; the dot has no case.
        name.count > suffix.count
            && zip(name.suffix(suffix.count), suffix).allSatisfy { $0 == $1 || ($1 >= 0x61 && $0 | 0x20 == $1) }
    }
}

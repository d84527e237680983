import Foundation
import Testing

@testable import TminusTooling

@Suite("Findings of doctor")
struct DoctorFindingTests {
    /// What makes each finding: a test that runs the program, else one of `DoctorMachineTests`, which look at real
    /// files and servers, or a script that runs the program in a booted system.
    private static let makers: [FindingCode: String] = [
        .inotifyWatches: "DoctorConditionTests.limits",
        .inotifyInstances: "DoctorConditionTests.limits",
        .descriptors: "DoctorConditionTests.limits",
        .clockUnsynchronised: "Tests/Package/in_tree_troubles.sh",
        .clockWrong: "DoctorConditionTests.zones",
        .zoneDataMissing: "DoctorConditionTests.zones",
        .zoneDataOld: "DoctorConditionTests.zones",
        .machineZone: "DoctorConditionTests.zones",
        .unknownZone: "DoctorTests.errors",
        .othersCanWrite: "DoctorTests.errors",
        .othersCanRead: "DoctorMachineTests.permissions",
        .otherOwner: "DoctorMachineTests.above",
        .diskFull: "DoctorConditionTests.disks",
        .diskLow: "DoctorConditionTests.disks",
        .inodesLow: "DoctorConditionTests.disks",
        .networkFileSystem: "DoctorConditionTests.hangs",
        .memoryFileSystem: "DoctorConditionTests.disks",
        .noAnswer: "DoctorConditionTests.hangs",
        .storeDamaged: "DoctorTests.store",
        .storeNewer: "DoctorConditionTests.silentAndNewer",
        .storeOlder: "DoctorConditionTests.olderStore",
        .storeEmpty: "DoctorTests.emptyStore",
        .storeRefused: "DoctorTests.store",
        .storeUnchecked: "DoctorConditionTests.uncheckedStore",
        .storeLog: "DoctorMachineTests.largeLog",
        .damagedRows: "DoctorConditionTests.damagedRows",
        .noConfig: "DoctorConditionTests.gone",
        .fileBroken: "DoctorTests.errors",
        .noDaemon: "DoctorTests.fresh",
        .daemonSilent: "DoctorConditionTests.silentAndNewer",
        .daemonOfOther: "DoctorTests.otherUser",
        .otherVersion: "DoctorConditionTests.otherVersion",
        .notInForce: "DoctorConditionTests.notInForce",
        .storeTrouble: "DoctorConditionTests.gone",
        .directoryTrouble: "DoctorConditionTests.gone",
        .deadLetters: "DoctorTests.daemon",
        .missingSink: "DoctorConditionTests.gone",
        .unplacedSink: "DoctorConditionTests.unplaced",
        .otherFiles: "DoctorFactsTests.attention",
        .polling: "DoctorConditionTests.polling",
        .unitType: "DoctorTests.daemon",
        .noWatchdog: "DoctorTests.daemon",
        .strictProfile: "DoctorTests.daemon",
        .sinkNeed: "DoctorTests.errors",
        .noAddress: "DoctorMachineTests.network",
        .noConnection: "DoctorMachineTests.network",
    ]

    /// The directory of the package.
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../..")

    /// The paths of all files of tests, from the directory of the package.
    private static let files: [String] = {
        let names = FileManager.default.enumerator(atPath: root.appendingPathComponent("Tests").path)
        return names?.compactMap { $0 as? String }.map { "Tests/\($0)" } ?? []
    }()

    @Test("each finding has a test or a script that makes it, which is there and names the finding")
    func everyFindingIsMade() throws {
        #expect(Set(Self.makers.keys) == Set(FindingCode.allCases))
        for (code, maker) in Self.makers {
            let source = try #require(try text(of: maker), "\(code): no \(maker)")
            let isNamed =
                maker.hasSuffix(".sh")
                ? source.contains(code.rawValue)
                : source.contains("\(code.rawValue)\"") || source.contains(".\(code)")
            #expect(isNamed, "\(maker) does not name \(code)")
        }
    }

    /// The text of a script, or of a test up to the next one; nil if there is none.
    private func text(of maker: String) throws -> String? {
        let isScript = maker.hasSuffix(".sh")
        let names = maker.split(separator: ".").map(String.init)
        let file = Self.files.first { isScript ? $0 == maker : $0.hasSuffix("/\(names[0]).swift") }
        guard let file else { return nil }
        let source = try String(contentsOf: Self.root.appendingPathComponent(file), encoding: .utf8)
        guard !isScript else { return source }
        guard source.contains("struct \(names[0]) {") else { return nil }
        let parts = source.components(separatedBy: "func \(names[1])(")
        return parts.count == 2 ? parts[1].components(separatedBy: "\n    @Test")[0] : nil
    }
}

import Foundation
import Testing
import TminusCore

@testable import TminusSystem

struct SystemZoneDatabaseTests {
    static let directory = "/usr/share/zoneinfo"

    /// A directory that lasts for one call.
    private func withDirectory(_ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tminus-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    @Test("a zone is found by its name and in its case, and read once")
    func byName() throws {
        let database = SystemZoneDatabase(.init(directory: Self.directory))
        let berlin = try #require(database.zone(named: "Europe/Berlin"))
        #expect(berlin.name == "Europe/Berlin")
        #expect(berlin.offset(at: Timestamp(seconds: 1_782_907_200)) == 7_200)
        #expect(database.zone(named: "Europe/Berlin") === berlin)
        #expect(database.zone(named: "europe/berlin") == nil)
        #expect(database.zone(named: "Etc/GMT+5")?.offset(at: Timestamp(seconds: 0)) == -18_000)
    }

    @Test(
        "what is no zone's name is no zone",
        arguments: [
            "", "/", "/etc/passwd", "../zoneinfo/UTC", "Europe/../UTC", "Europe//Berlin", "Europe/", "./UTC", "Europe",
            "tzdata.zi",
            "Europe/Berlin\0", "Europe/Berl\u{ED}n", "Mars/Olympus", "a b", "zone.tab", "right/UTC",
            String(repeating: "a/", count: 200),
        ])
    func badNames(name: String) {
        #expect(SystemZoneDatabase(.init(directory: Self.directory)).zone(named: name) == nil)
    }

    @Test("without tzdata there is UTC and nothing else")
    func withoutData() {
        let database = SystemZoneDatabase(.init(directory: "/nonexistent", localtime: "/nonexistent/localtime"))
        #expect(database.zone(named: "UTC") === Zone.utc)
        #expect(database.zone(named: "Europe/Berlin") == nil)
        #expect(database.systemZone == .utc)
        #expect(database.systemZoneProblem == nil)
        #expect(database.names.isEmpty)
        #expect(database.version == nil)
    }

    @Test("a file that is replaced is read again")
    func replaced() throws {
        try withDirectory { path in
            let manager = FileManager.default
            try manager.copyItem(atPath: "\(Self.directory)/Europe/Berlin", toPath: "\(path)/Here")
            let database = SystemZoneDatabase(.init(directory: path))
            let first = try #require(database.zone(named: "Here"))
            try manager.removeItem(atPath: "\(path)/Here")
            #expect(database.zone(named: "Here") == nil)
            try manager.copyItem(atPath: "\(Self.directory)/Asia/Tokyo", toPath: "\(path)/Here")
            let second = try #require(database.zone(named: "Here"))
            #expect(first != second)
            #expect(second.offset(at: Timestamp(seconds: 0)) == 32_400)
        }
    }

    @Test("a file that is too large, a directory and a pipe are no zones")
    func oddFiles() throws {
        try withDirectory { path in
            let berlin = try Data(contentsOf: URL(fileURLWithPath: "\(Self.directory)/Europe/Berlin"))
            try (berlin + Data(count: 300_000)).write(to: URL(fileURLWithPath: "\(path)/Large"))
            try FileManager.default.createDirectory(atPath: "\(path)/Folder", withIntermediateDirectories: false)
            #expect(mkfifo("\(path)/Pipe", 0o600) == 0)
            let database = SystemZoneDatabase(.init(directory: path))
            for name in ["Large", "Folder", "Pipe"] { #expect(database.zone(named: name) == nil) }
        }
    }

    @Test(
        "TZ names a zone, a file or a rule",
        arguments: [
            ("Europe/Berlin", "Europe/Berlin", 3_600), (":Europe/Berlin", "Europe/Berlin", 3_600),
            ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo", 32_400),
            (":/usr/share/zoneinfo/posix/Asia/Tokyo", "Asia/Tokyo", 32_400),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "CET-1CEST,M3.5.0,M10.5.0/3", 3_600), ("<+03>-3", "<+03>-3", 10_800),
            ("", "UTC", 0),
            (":", "UTC", 0),
        ])
    func setting(setting: String, name: String, offset: Int) {
        let database = SystemZoneDatabase(
            .init(directory: Self.directory, localtime: "\(Self.directory)/America/New_York", setting: setting))
        #expect(database.systemZone.name == name)
        // 2026-01-01
        #expect(database.systemZone.offset(at: Timestamp(seconds: 1_767_225_600)) == offset)
        #expect(database.systemZoneProblem == nil)
    }

    @Test(
        "a TZ that means nothing is UTC, and said so", arguments: ["Mars/Olympus", "/etc/passwd", ":nothing", "../UTC"])
    func badSetting(setting: String) throws {
        let database = SystemZoneDatabase(.init(directory: Self.directory, setting: setting))
        #expect(database.systemZone == .utc)
        #expect(try #require(database.systemZoneProblem).contains("is neither a zone"))
    }

    @Test(
        "the nearest name of a TZ that means nothing is said",
        arguments: [("Europe/Berln", "Europe/Berlin"), (":tokyo", "Asia/Tokyo"), ("Europe/berlin", "Europe/Berlin")])
    func nearSetting(setting: String, name: String) throws {
        let database = SystemZoneDatabase(.init(directory: Self.directory, setting: setting))
        #expect(try #require(database.systemZoneProblem).hasSuffix(", did you mean '\(name)'?"))
    }

    @Test("/etc/localtime gives the name by its link, over other links and relative ones, else by /etc/timezone")
    func localtime() throws {
        try withDirectory { path in
            let manager = FileManager.default
            let places = SystemZoneDatabase.Places(
                directory: Self.directory, localtime: "\(path)/localtime", timezone: "\(path)/timezone")
            let database = SystemZoneDatabase(places)
            #expect(database.systemZone == .utc)

            try manager.createSymbolicLink(
                atPath: "\(path)/localtime", withDestinationPath: "\(Self.directory)/Europe/Berlin")
            #expect(database.systemZone.name == "Europe/Berlin")

            try manager.removeItem(atPath: "\(path)/localtime")
            try manager.createSymbolicLink(atPath: "\(path)/hop", withDestinationPath: "\(Self.directory)/Asia/Tokyo")
            try manager.createSymbolicLink(atPath: "\(path)/localtime", withDestinationPath: "hop")
            #expect(database.systemZone.name == "Asia/Tokyo")

            try manager.removeItem(atPath: "\(path)/localtime")
            try manager.copyItem(atPath: "\(Self.directory)/Europe/Berlin", toPath: "\(path)/localtime")
            #expect(database.systemZone.name == "localtime")
            try Data("Europe/Berlin\n".utf8).write(to: URL(fileURLWithPath: "\(path)/timezone"))
            #expect(database.systemZone.name == "Europe/Berlin")
            // A name that means something else is not believed.
            try Data("Asia/Tokyo\n".utf8).write(to: URL(fileURLWithPath: "\(path)/timezone"))
            #expect(database.systemZone.name == "localtime")
            #expect(database.systemZoneProblem == nil)

            try manager.removeItem(atPath: "\(path)/localtime")
            try manager.createSymbolicLink(atPath: "\(path)/localtime", withDestinationPath: "\(path)/gone")
            #expect(database.systemZone == .utc)
            #expect(try #require(database.systemZoneProblem).contains("which is not there"))
        }
    }

    @Test("the revision increases only when an earlier answer is outdated")
    func revision() throws {
        try withDirectory { path in
            let manager = FileManager.default
            func put(_ zone: String, _ name: String) throws {
                try? manager.removeItem(atPath: "\(path)/new")
                try manager.copyItem(atPath: "\(Self.directory)/\(zone)", toPath: "\(path)/new")
                #expect(rename("\(path)/new", "\(path)/\(name)") == 0)
            }
            try put("Europe/Berlin", "Here")
            try put("Asia/Tokyo", "There")
            try put("Asia/Tokyo", "localtime")
            let database = SystemZoneDatabase(
                .init(directory: path, localtime: "\(path)/localtime", timezone: "\(path)/none"))
            var last = database.revision
            func grows() -> Bool {
                defer { last = database.revision }
                return database.revision > last
            }
            _ = database.zone(named: "Here")
            #expect(!grows(), "asking for a zone changes none")
            try put("America/New_York", "There")
            #expect(!grows(), "nobody asked for it")
            try put("America/New_York", "Here")
            #expect(grows())
            _ = database.zone(named: "Here")
            try put("Europe/Rome", "Here")
            _ = database.zone(named: "Here")
            #expect(grows(), "also if somebody has asked in between")
            try put("Europe/Rome", "localtime")
            #expect(grows())
            try Data("# version 2099a\n".utf8).write(to: URL(fileURLWithPath: "\(path)/tzdata.zi"))
            #expect(grows())
            try manager.removeItem(atPath: "\(path)/Here")
            #expect(grows())
            #expect(!grows())
            #expect(database.zone(named: "Here") == nil)
            try put("Europe/Rome", "Here")
            #expect(grows(), "a zone that was asked for is there now")
            #expect(database.zone(named: "Here") != nil)
            try Data("TZif".utf8).write(to: URL(fileURLWithPath: "\(path)/Here"))
            #expect(grows())
            #expect(database.zone(named: "Here") == nil)
            #expect(!grows(), "what is no zone is told of once")
        }
    }

    @Test("the names are those of tzdata, each with a file")
    func names() throws {
        let database = SystemZoneDatabase(.init(directory: Self.directory))
        let names = database.names
        #expect(names.contains("Europe/Berlin"))
        #expect(names.contains("UTC"))
        #expect(!names.contains { $0.hasPrefix("right/") || $0.hasPrefix("posix/") || $0.hasSuffix(".tab") })
        #expect(names == names.sorted())
        for name in names { #expect(database.zone(named: name) != nil, "\(name)") }
    }

    @Test("without an index the names come from a walk, and the version from +VERSION")
    func walk() throws {
        try withDirectory { path in
            let manager = FileManager.default
            try manager.createDirectory(atPath: "\(path)/Europe", withIntermediateDirectories: false)
            try manager.createDirectory(atPath: "\(path)/right", withIntermediateDirectories: false)
            try manager.copyItem(atPath: "\(Self.directory)/Europe/Berlin", toPath: "\(path)/Europe/Berlin")
            try manager.copyItem(atPath: "\(Self.directory)/Europe/Berlin", toPath: "\(path)/right/Berlin")
            try manager.createSymbolicLink(atPath: "\(path)/Europe/loop", withDestinationPath: path)
            try Data("a table".utf8).write(to: URL(fileURLWithPath: "\(path)/zone.tab"))
            try Data("2099z\n".utf8).write(to: URL(fileURLWithPath: "\(path)/+VERSION"))
            let database = SystemZoneDatabase(.init(directory: path))
            #expect(database.names.contains("Europe/Berlin"))
            #expect(!database.names.contains("zone.tab"))
            #expect(!database.names.contains("right/Berlin"))
            #expect(database.version == "2099z")
        }
    }

    @Test("the compact source of tzdata lists zones and links")
    func source() {
        let text =
            "# version 2099a\nR E 1 o - J 1 0 0 S\nZ Europe/Berlin 0:53:28 - LMT\n1 E CE%sT\nL Europe/Berlin Berlin\nZ ../x 0\n"
        #expect(Set(ZoneIndex.names(inSource: Array(text.utf8))) == ["Europe/Berlin", "Berlin"])
    }
}

import Foundation
import NIOCore
import Testing
import TminusCore

@testable import TminusDaemon

/// The files of the web page.
@Suite("The files of the page")
struct PageFilesTests {
    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources/CPageFiles/files").standardized

    @Test("every file of the directory is in the program as it is, and no other")
    func embedded() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path)
        let embedded = PageFiles.embedded
        #expect(embedded.keys.sorted() == names.sorted())
        for (name, bytes) in embedded {
            let file = try Data(contentsOf: Self.directory.appendingPathComponent(name))
            #expect(bytes == Array(file), "\(name): build again")
        }
    }

    @Test("a change of any file, of its name too, changes the version that the shell names")
    func version() {
        let pages = [
            ["index.html": "page/@/a.js", "a.js": "1"], ["index.html": "page/@/a.js", "a.js": "2"],
            ["index.html": "page/@/a.js ", "a.js": "1"], ["index.html": "page/@/a.js", "b.js": "1"],
        ].map { PageFiles($0.mapValues { Array($0.utf8) }) }
        #expect(Set(pages.map(\.version)).count == pages.count)
        let shell = String(buffer: pages[0].shell.plain)
        #expect(shell == "page/\(pages[0].version)/a.js")
    }

    @Test("no file has script, style or an address of another host in it that the policy would refuse")
    func refused() throws {
        for (name, bytes) in PageFiles.embedded {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(
                !text.contains("innerHTML") && !text.contains("insertAdjacent") && !text.contains("eval("), "\(name)")
            #expect(!text.contains(/(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?\/\//), "\(name)")
            guard name.hasSuffix(".html") else { continue }
            #expect(!text.contains(/<script(?![^>]*\ssrc=)/) && !text.contains(/\son\w+\s*=/), "\(name)")
            #expect(!text.contains("<style") && !text.contains(/\sstyle\s*=/), "\(name)")
        }
    }

    @Test("all files together have at most 100 KB as they go over the wire")
    func size() {
        let page = PageFiles.own
        let bytes = ([page.shell] + page.files.values).map { ($0.zipped ?? $0.plain).readableBytes }.reduce(0, +)
        #expect(bytes <= 100_000, "\(bytes)")
    }

    @Test("gzip is taken by whoever names it, unless with the weight 0")
    func gzip() {
        for accepted in ["gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8", "GZIP ; q=0.001"] {
            #expect(ControlAPI.takesGzip(accepted), "\(accepted)")
        }
        for refused in ["", "br", "gzip;q=0", "gzip; q=0.000", "x-gzip-2", "*"] {
            #expect(!ControlAPI.takesGzip(refused), "\(refused)")
        }
    }
}

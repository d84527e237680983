import Foundation
import Testing

/// The generator of manual pages that swift-argument-parser brings. It is built with the tests.
private enum ManualGenerator {
    static let path = URL(fileURLWithPath: Program.tminus).deletingLastPathComponent()
        .appendingPathComponent("generate-manual").path
    static let isBuilt = FileManager.default.isExecutableFile(atPath: path)
}

/// The manual pages, as `make man` writes them.
@Suite("Manual pages", .enabled(if: ManualGenerator.isBuilt, "needs the generator of swift-argument-parser"))
struct ManualTests {
    /// The pages by name, such as `tminus-snooze.1`.
    private func pages() async throws -> [String: String] {
        let scratch = try Scratch()
        let share = "\(scratch.path)/share"
        let write = try Program(
            "\(Program.repository)/scripts/write-share.sh", [Program.tminus, ManualGenerator.path, share])
        #expect(try await write.end() == 0, "\(write.errors.texts)")
        func names(_ directory: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        }
        let schemas = try names("\(Program.repository)/Examples/schemas")
        #expect(try names("\(share)/tminus/schemas") == schemas)
        #expect(try names("\(share)/tminus") == ["control.openapi.json", "schemas", "tminus.schema.json"])
        var pages: [String: String] = [:]
        for section in ["1", "5"] {
            let directory = "\(share)/man/man\(section)"
            for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
                let content = try #require(FileManager.default.contents(atPath: "\(directory)/\(name)"))
                pages[name] = String(decoding: content, as: UTF8.self)
            }
        }
        return pages
    }

    @Test("every page refers to pages that exist, lists our exit statuses, and names the page of the files")
    func references() async throws {
        let pages = try await pages()
        #expect(pages.count > 30 && pages["tminus-help.1"] == nil)
        for (name, page) in pages {
            let references = page.matches(of: /\n\.Xr (\S+) (\d)/).map { "\($0.output.1).\($0.output.2)" }
            #expect(!references.isEmpty && references.allSatisfy { pages[$0] != nil }, "\(name): \(references)")
            #expect(!page.contains(".Ex -std") && page.hasSuffix("\n"), "\(name)")
            guard name.hasSuffix(".1") else { continue }
            #expect(references.contains("tminus-config.5"), "\(name)")
            let statuses = page.matches(of: /\n\.It (\d+)\n/).compactMap { Int32($0.output.1) }
            #expect(statuses == [0, 1, 64, 65, 69, 70, 74, 77], "\(name)")
        }
        #expect(pages["tminus.1"]?.contains("\n.Xr tminus-snooze 1 ,\n") == true)
        #expect(pages["tminus-add-event.1"]?.contains("\n.Xr tminus-add 1 ,\n") == true)
    }

    @Test("tminus-config(5) has every key of the reference, without marks of Markdown")
    func config() async throws {
        let page = try #require(try await pages()["tminus-config.5"])
        let reference = Documents.text("Sources/TminusCore/TminusCore.docc/Configuration.md")
        let keys = reference.matches(of: /\n\| `([a-z-]+)` \|/).map { String($0.output.1) }
        #expect(keys.count > 60)
        for key in keys { #expect(page.contains("\n.It \"\\fB\(key)\\fR\"\n"), "\(key)") }
        #expect(!page.contains("`") && !page.contains("| ---"))
        for sink in ["stdout", "shell", "exec", "webhook", "webhook-file", "plugin"] {
            #expect(page.contains("\n.Ss \"\(sink)\"\n"), "\(sink)")
        }
    }
}

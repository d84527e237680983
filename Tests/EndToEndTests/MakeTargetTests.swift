import Foundation
import Testing

/// What the targets of the Makefile would do.
@Suite("Targets of the Makefile")
struct MakeTargetTests {
    private func commands(_ target: String) async throws -> String {
        let make = try Program("make", ["-n", "-C", Program.repository, target])
        #expect(try await make.end() == 0, "\(make.errors.texts)")
        return make.output.texts.joined(separator: "\n")
    }

    @Test(
        "run and install set up only the packages of the build, test the rest", arguments: ["run", "install", "setup"])
    func packages(target: String) async throws {
        let needed = try await commands(target)
        #expect(needed.contains(/scripts\/setup\.sh build *(\n|$)/), "\(needed)")
        #expect(!needed.contains("setup.sh build test"))
        #expect(try await commands("test").contains("scripts/setup.sh build test"))
        let packages = Documents.text("scripts/setup.sh").firstMatch(of: /build\) echo (.*) ;;/)?.output.1
        #expect(packages == "libinotifytools0-dev libpq-dev libsqlite3-dev nettle-dev tzdata zlib1g-dev")
    }

    @Test("the Debian package has the version of the program")
    func packageVersion() async throws {
        let program = try Program(Program.tminus, ["--version"])
        #expect(try await program.end() == 0)
        let version = try #require(program.output.texts.first)
        #expect(Documents.text("debian/changelog").hasPrefix("tminus (\(version))"))
    }

    @Test("the links of the installed README and articles lead to what is installed")
    func documentation() async throws {
        let place = NSTemporaryDirectory() + "tminus-doc-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: place) }
        let script = try Program("\(Program.repository)/scripts/write_doc.py", ["\(place)/doc/tminus"])
        #expect(try await script.end() == 0, "\(script.errors.texts)")
        // What debian/rules installs beside it.
        for path in ["doc/tminus/examples", "tminus/control.openapi.json", "doc/tminus/copyright"] {
            try FileManager.default.createDirectory(atPath: "\(place)/\(path)", withIntermediateDirectories: true)
        }
        var checked = 0
        for case let page as String in FileManager.default.enumerator(atPath: place) ?? .init()
        where page.hasSuffix(".md") {
            let text = try String(contentsOfFile: "\(place)/\(page)", encoding: .utf8)
            let directory = (page as NSString).deletingLastPathComponent
            for link in text.matches(of: /\]\(([^):# ]+)\)/).map({ String($0.output.1) }) {
                checked += 1
                #expect(FileManager.default.fileExists(atPath: "\(place)/\(directory)/\(link)"), "\(page): \(link)")
            }
        }
        #expect(checked > 40)
        #expect(Documents.text("debian/rules").contains("scripts/write_doc.py debian/tminus/usr/share/doc/tminus"))
    }

    @Test("make prints the time and size of the first build before it begins", arguments: ["run", "install", "test"])
    func firstBuild(target: String) async throws {
        let commands = try await commands(target)
        let notice = try #require(commands.firstRange(of: "scripts/first-build.sh"), "\(commands)")
        let build = try #require(commands.firstRange(of: "swift build"))
        #expect(notice.lowerBound < build.lowerBound)
        let message = Documents.text("scripts/first-build.sh")
        let readme = Documents.text("README.md").replacing("\n", with: " ")
        for figure in ["6 to 15 minutes on two cores", "3 GB of disk"] {
            #expect(message.contains(figure) && readme.contains(figure), "\(figure)")
        }
    }
}

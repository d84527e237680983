import Testing
import TminusCore

@testable import TminusWatch

@Suite("Names and paths")
struct NameTests {
    @Test(
        "the name decides what is read",
        arguments: [
            ("a.yaml", true), ("a.yml", true), ("a.json", true), ("A.YAML", true), ("-x.yaml", true), (".yaml", false),
            ("a.yaml~", false), (".a.yaml", false), ("#a.yaml", false), (".#a.yaml", false), ("#a.yaml#", false),
            ("4913", false), ("sedAbCdE", false), ("a.yaml.bak", false), (".a.yaml.swp", false), ("a.yaml.tmp", false),
            ("a.yaml___jb_tmp___", false), ("yaml", false), ("", false), ("a\u{0E}yaml", false), ("a.yaml.off", false),
            ("tminus.schema.json", false), ("A.SCHEMA.JSON", false), ("schema.json", true), ("a.schema.yaml", true),
        ])
    func filter(name: String, isRead: Bool) {
        #expect(NameFilter.isDefinition(Array(name.utf8)) == isRead)
    }

    @Test(
        "directories that tools keep for themselves are not read",
        arguments: [
            ("sub", true), (".git", false), ("..data", false), ("..2026_01_01", false), ("old~", false),
            ("x.schema.json", false),
        ])
    func directories(name: String, isRead: Bool) {
        #expect(NameFilter.isDirectory(Array(name.utf8)) == isRead)
    }

    @Test("a JSON Schema is ignored, and the reason says so")
    func schema() {
        #expect(NameFilter.objection(to: Array("tminus.schema.json".utf8)) == .schema)
        #expect(NameFilter.objection(to: Array(".x.schema.json".utf8)) == .hidden)
    }

    @Test("bytes that are not UTF-8 and control characters are shown escaped, and every path differently")
    func shown() {
        #expect(RawPath("sub/ä 😀.yaml").shown == "sub/ä 😀.yaml")
        #expect(RawPath("a\n\u{1B}[2J.yaml").shown == "a\\u{a}\\u{1b}[2J.yaml")
        #expect(RawPath(Array("a".utf8) + [0xFF] + Array(".yaml".utf8)).shown == "a\\xff.yaml")
        #expect(RawPath("a\\xff.yaml").shown == "a\\\\xff.yaml")
        #expect(RawPath([0x0A, 0xFF]).shown == "\\x0a\\xff")
    }

    @Test("paths are put together and taken apart by their slashes")
    func components() {
        #expect(RawPath("/a/b").parent == RawPath("/a"))
        #expect(RawPath("/a").parent == RawPath("/"))
        #expect(RawPath("a").parent == .empty)
        #expect(RawPath("/").appending(Array("a".utf8)) == RawPath("/a"))
        #expect(RawPath("/a").appending([UInt8]()) == RawPath("/a"))
        #expect(RawPath(absolute: "/a//./b/").bytes == Array("/a/b".utf8))
        #expect(RawPath(absolute: "/").bytes == Array("/".utf8))
        #expect(RawPath(absolute: "x").bytes.first == UInt8(ascii: "/"))
        #expect(RawPath("ab/c").isWithin(RawPath("ab")))
        #expect(!RawPath("abc").isWithin(RawPath("ab")))
    }

    @Test("a file system is known by its number")
    func fileSystems() {
        #expect(FileSystemKind(magic: 0x6969) == .silent)
        #expect(FileSystemKind(magic: 0xFF53_4D42) == .silent)
        #expect(FileSystemKind(magic: 0x794C_7630) == .overlay)
        #expect(FileSystemKind(magic: 0xEF53) == .local)
    }
}

import Testing
import TminusCore
import WatchTestSupport

@testable import TminusWatch

@Suite("Reading once")
struct DirectoryReaderTests {
    @Test("a directory is read with everything below it, in the order of paths")
    func directory() throws {
        let place = try Workplace()
        try place.run(
            "mkdir -p b .git; printf 1 > b/x.yaml; printf 2 > a.json; printf 3 > .git/y.yaml; printf 4 > c.txt; ln -s a.json d.yml"
        )
        let contents = DirectoryReader().read(directory: place.path)
        #expect(contents.root == place.path)
        #expect(contents.paths == ["a.json", "b/x.yaml", "d.yml"])
        #expect(contents.problems.isEmpty)
        #expect(contents.text("d.yml") == "2")
    }

    @Test("single files are read whatever their names, and a missing one is said")
    func files() throws {
        let place = try Workplace()
        try place.run("printf 1 > a.txt")
        let results = DirectoryReader().read(paths: [place.path + "/a.txt", place.path + "/no.yaml", place.path])
        #expect(results.count == 3)
        #expect(results.first?.text("a.txt") == "1")
        #expect(results.dropFirst().first?.reason("no.yaml") == "does not exist")
        #expect(results.first?.root == place.path)
    }

    @Test("a directory that is missing, or none, is a problem")
    func missing() throws {
        let place = try Workplace()
        try place.run("printf 1 > f")
        let reader = DirectoryReader()
        #expect(reader.read(directory: place.path + "/no").problems.first?.message.contains("does not exist") == true)
        #expect(reader.read(directory: place.path + "/f").problems.first?.message.contains("not a directory") == true)
    }

    @Test("directories beyond the depth and the number are not read, and that is a problem")
    func limits() throws {
        let place = try Workplace()
        try place.run(
            "mkdir -p 1/2/3/4/5/6/7/8/9; printf 1 > 1/2/3/4/5/6/7/8/a.yaml; printf 1 > 1/2/3/4/5/6/7/8/9/b.yaml")
        let deep = DirectoryReader().read(directory: place.path)
        #expect(deep.paths == ["1/2/3/4/5/6/7/8/a.yaml"])
        #expect(deep.problems.map { $0.message } == ["more than 8 directories deep: it is not read"])

        let wide = try Workplace()
        try wide.run("for i in $(seq 1030); do mkdir $i; printf 1 > $i/a.yaml; done")
        let contents = DirectoryReader().read(directory: wide.path)
        #expect(contents.files.count == 1_023)
        #expect(contents.problems.count == 1)
    }

    @Test("ten thousand files are read")
    func many() throws {
        let place = try Workplace()
        try place.run("seq 10000 | while read i; do echo $i > f$i.yaml; done")
        let contents = DirectoryReader().read(directory: place.path)
        #expect(contents.files.count == 10_000)
        #expect(contents.text("f7.yaml") == "7\n")
    }

    @Test("what is not read because of its name or place is named with the reason, in order, and counted")
    func ignored() throws {
        let place = try Workplace()
        try place.run(
            """
            mkdir -p .git s/.hid 1/2/3/4/5/6/7/8/9; printf 1 > a.yaml; printf 1 > a.yaml~; printf 1 > .b.yaml; printf 1 > '#c.yaml'
            printf 1 > s/d.txt; mkfifo s/pipe; ln -s . me; printf 1 > "$(printf 'e\\377')"
            """)
        let ignored = DirectoryReader().read(directory: place.path).ignored
        #expect(
            ignored.entries.map { "\($0.path) \($0.reason.rawValue)" } == [
                "#c.yaml hidden", ".b.yaml hidden", ".git hidden", "a.yaml~ backup", "e\\xff suffix", "s/.hid hidden",
                "s/d.txt suffix", "s/pipe suffix", "1/2/3/4/5/6/7/8/9 depth", "me repeated",
            ])
        #expect(ignored.total == 10)
    }

    @Test("of many entries that are not read, the first hundred are named and all are counted")
    func manyIgnored() throws {
        let place = try Workplace()
        try place.run("for i in $(seq 1000 1299); do : > x$i.log; done; mkdir s; : > s/a.txt")
        let ignored = DirectoryReader().read(directory: place.path).ignored
        #expect(ignored.entries.map(\.path) == (1_000..<1_100).map { "x\($0).log" })
        #expect(ignored.total == 301)
    }
}

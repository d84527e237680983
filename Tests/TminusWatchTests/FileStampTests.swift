import Glibc
import Testing
import WatchTestSupport

@testable import TminusWatch

/// What tells a scan that a file has changed.
@Suite("Stamps of files")
struct FileStampTests {
    private func stamp(_ path: String) throws -> FileStamp {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return FileStamp(status)
    }

    @Test("a change that keeps the size, and sets the time of writing back, is seen")
    func hiddenChange() throws {
        let place = try Workplace()
        try place.run("printf old > a; touch -d '1 hour ago' a")
        let before = try stamp("\(place.path)/a")
        try place.run("touch -r a time; printf new > a; touch -r time a")
        let after = try stamp("\(place.path)/a")
        #expect(after.size == before.size && after.modified == before.modified && after.identity == before.identity)
        #expect(after != before)
    }
}

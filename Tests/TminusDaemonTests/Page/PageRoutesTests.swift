import HTTPTypes
import Hummingbird
import NIOCore
import Testing
import TminusControl

@testable import TminusDaemon

/// How the files of the page are answered.
@Suite("The routes of the page")
struct PageRoutesTests {
    private let version = PageFiles.own.version

    private func request(_ headers: HTTPFields = [:]) -> Request {
        Request(
            head: HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/", headerFields: headers),
            body: RequestBody(buffer: ByteBuffer()))
    }

    @Test("the shell is asked for each time, and not sent again if it is the same")
    func shell() {
        let first = ControlAPI.shell(request())
        #expect(first.status == .ok && first.headers[.contentType] == "text/html; charset=utf-8")
        #expect(first.headers[.cacheControl] == "no-cache" && first.headers[.eTag] == "W/\"\(version)\"")
        #expect(first.body.contentLength == PageFiles.own.shell.plain.readableBytes)
        let again = ControlAPI.shell(request([.ifNoneMatch: "\"x\", W/\"\(version)\""]))
        #expect(again.status == .notModified && again.body.contentLength == 0)
        #expect(again.headers[.eTag] == first.headers[.eTag])
        #expect(ControlAPI.shell(request([.ifNoneMatch: "\"x\""])).status == .ok)
    }

    @Test("a file may be kept for good, because its path has the version, and comes as gzip to who takes it")
    func files() throws {
        for (name, file) in PageFiles.own.files {
            let plain = try ControlAPI.file(version, name, request())
            #expect(plain.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(plain.headers[.contentType] == file.type && plain.headers[.vary] == "Accept-Encoding")
            #expect(plain.body.contentLength == file.plain.readableBytes && plain.headers[.contentEncoding] == nil)
            let zipped = try ControlAPI.file(version, name, request([.acceptEncoding: "gzip, br"]))
            guard let shorter = file.zipped else { continue }
            #expect(zipped.headers[.contentEncoding] == "gzip")
            #expect(zipped.body.contentLength == shorter.readableBytes)
        }
    }

    @Test(
        "what is no file of this version is not here",
        arguments: [
            ("0", "main.js"), (nil, "main.js"), ("", ""), (PageFiles.own.version, "index.html"),
            (PageFiles.own.version, "../main.js"), (PageFiles.own.version, nil), (PageFiles.own.version, "main.js\0"),
        ] as [(String?, String?)])
    func unknown(version: String?, name: String?) {
        #expect { try ControlAPI.file(version, name, request()) } throws: { ($0 as? Problem)?.kind == .notFound }
    }
}

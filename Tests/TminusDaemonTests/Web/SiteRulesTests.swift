import HTTPTypes
import Testing
import TminusControl

@testable import TminusDaemon

/// Each row is what a browser was seen to send, or what a program sends.
@Suite("Requests from other sites")
struct SiteRulesTests {
    /// A request to `host` with these fields.
    private func request(
        _ method: HTTPRequest.Method, _ fields: [String: String], host: String = "127.0.0.1:9108", body: Bool = false
    ) throws -> HTTPRequest {
        var request = HTTPRequest(method: method, scheme: nil, authority: host, path: "/items/tea/start")
        if body { request.headerFields[.contentLength] = "2" }
        for (name, value) in fields { request.headerFields[try #require(HTTPField.Name(name))] = value }
        return request
    }

    private func refusal(_ request: HTTPRequest, scheme: String = "http") -> Problem? {
        do throws(Problem) {
            try SiteRules(scheme: scheme, host: request.authority ?? "").check(request)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a change from the page itself is taken",
        arguments: [
            ["origin": "http://127.0.0.1:9108", "sec-fetch-site": "same-origin"],
            // Plain HTTP by address has no Fetch Metadata.
            ["origin": "http://127.0.0.1:9108", "cookie": "tminus=x"], ["sec-fetch-site": "same-origin"],
            ["ORIGIN": "HTTP://127.0.0.1:9108"],
        ])
    func own(fields: [String: String]) throws {
        #expect(refusal(try request(.post, fields)) == nil)
        #expect(refusal(try request(.delete, fields)) == nil)
    }

    @Test(
        "a change from another site, another port, another scheme, a sandboxed frame or no page at all is refused",
        arguments: [
            ["origin": "http://evil.example", "sec-fetch-site": "cross-site"], ["origin": "http://evil.example"],
            ["origin": "http://127.0.0.1:8080", "sec-fetch-site": "same-site", "cookie": "tminus=x"],
            ["origin": "http://127.0.0.1:8080"], ["origin": "https://127.0.0.1:9108"], ["origin": "http://127.0.0.1"],
            ["origin": "null"], ["origin": "null", "sec-fetch-site": "cross-site"], ["origin": ""],
            ["origin": "http://"], ["origin": "http://127.0.0.1:9108.evil.example"],
            ["origin": "http://127.0.0.1:9108", "sec-fetch-site": "same-site"],
            ["origin": "http://127.0.0.1:9108", "sec-fetch-site": "cross-site"], ["sec-fetch-site": "none"],
            ["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"],
            ["origin": "http://evil.example", "authorization": "Bearer x"], ["cookie": "tminus=x"],
        ])
    func others(fields: [String: String]) throws {
        for method in [HTTPRequest.Method.post, .put, .delete, .patch] {
            #expect(refusal(try request(method, fields))?.kind == .forbidden, "\(method)")
        }
    }

    @Test("a program sends neither field: with a token it is no browser, and without one nobody's session is used")
    func programs() throws {
        #expect(refusal(try request(.post, [:])) == nil)
        #expect(refusal(try request(.post, ["authorization": "Bearer x"])) == nil)
        #expect(refusal(try request(.post, ["authorization": "Bearer x", "cookie": "a=b"])) == nil)
    }

    @Test("the port that belongs to the scheme may be left out, in the origin and in Host")
    func ports() throws {
        for (host, origin, scheme) in [
            ("timers.example", "https://timers.example", "https"),
            ("timers.example:443", "https://timers.example", "https"),
            ("Timers.example", "https://timers.example:443", "https"), ("[::1]", "http://[::1]:80", "http"),
            ("[::1]:9108", "http://[::1]:9108", "http"), ("box", "http://BOX", "http"),
        ] {
            #expect(refusal(try request(.post, ["origin": origin], host: host), scheme: scheme) == nil, "\(origin)")
        }
        let other = try request(.post, ["origin": "https://timers.example"], host: "timers.example:80")
        #expect(refusal(other, scheme: "https")?.kind == .forbidden)
        #expect(refusal(try request(.post, ["origin": "http://[::1]:9108"], host: "[::1]"))?.kind == .forbidden)
    }

    @Test(
        "a simple request with a body that is not called JSON is refused with 415",
        arguments: [
            "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "text/json",
            "text/plain; application/json", "application/jsonx",
        ])
    func bodies(type: String) throws {
        let fields = ["content-type": type, "origin": "http://127.0.0.1:9108"]
        #expect(refusal(try request(.post, fields, body: true))?.kind == .wrongType)
        #expect(refusal(try request(.post, ["transfer-encoding": "chunked"]))?.kind == .wrongType)
    }

    @Test("JSON is JSON in any case and with parameters, and without a body the type does not matter")
    func json() throws {
        for type in ["application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;a=b"]
        {
            #expect(refusal(try request(.post, ["content-type": type], body: true)) == nil, "\(type)")
        }
        #expect(refusal(try request(.post, ["content-length": "0"])) == nil)
    }

    @Test(
        "nothing is read for the page of another site: no script, image, frame, fetch or event stream",
        arguments: [
            ["sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script"],
            ["sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"],
            ["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"],
            ["sec-fetch-site": "cross-site"], ["origin": "http://evil.example"], ["origin": "null"],
            ["origin": "http://127.0.0.1:8080", "accept": "text/event-stream"],
        ])
    func reading(fields: [String: String]) throws {
        #expect(refusal(try request(.get, fields))?.kind == .forbidden)
        #expect(refusal(try request(.head, fields))?.kind == .forbidden)
    }

    @Test(
        "a person may follow a link from elsewhere, and the page and programs may read",
        arguments: [
            ["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"],
            ["sec-fetch-site": "none", "sec-fetch-mode": "navigate"], ["sec-fetch-site": "same-origin"], [:],
            ["origin": "http://127.0.0.1:9108", "sec-fetch-site": "same-origin"], ["cookie": "tminus=x"],
        ])
    func mayRead(fields: [String: String]) throws {
        #expect(refusal(try request(.get, fields)) == nil)
    }
}

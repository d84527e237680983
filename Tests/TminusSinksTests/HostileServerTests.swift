import Glibc
import TestServer
import Testing
import TminusCore
import TminusSinks
import TminusTestKit

/// Servers that mean harm or fail in odd ways: each attempt ends as documented, within its time limit.
@Suite("Hostile servers", .serialized)
struct HostileServerTests {
    enum End: Sendable {
        case delivered
        case transient(String)
        case permanent(String)
    }

    static let notHTTP = "the answer is not HTTP, or its head is too long"
    static let closed = "HTTP: Remote connection closed"

    static let manners: [(path: String, end: End)] = [
        ("/hang", .transient("timed out after 2 s")),
        ("/slow-headers", .transient("timed out after 2 s")),
        ("/informational", .transient("timed out after 2 s")),
        ("/endless-headers", .transient(notHTTP)),
        ("/giant-header", .transient(notHTTP)),
        ("/garbage", .transient(notHTTP)),
        ("/close", .transient(closed)),
        ("/half-close", .transient(closed)),
        ("/half-head", .transient("the connection ended in the middle of the answer")),
        ("/reset", .transient("connection reset by peer")),
        ("/half-body", .delivered),
        ("/endless", .delivered),
        ("/status/204", .delivered),
        ("/status/500", .transient("HTTP 500")),
        ("/status/410", .permanent("HTTP 410")),
        ("/bare-status?code=099", .permanent("not a valid HTTP status")),
        ("/bare-status?code=000", .permanent("not a valid HTTP status")),
        ("/bare-status?code=101", .permanent("HTTP 101")),
        ("/bare-status?code=999", .transient("HTTP 999")),
        ("/bare-status?code=-99", .transient(notHTTP)),
        ("/bare-status?code=99", .transient(notHTTP)),
        ("/bare-status?code=4294967396", .transient(notHTTP)),
        ("/redirect-loop", .permanent("HTTP 307: redirects are not followed")),
        ("/status/429?retry-after=7", .transient("HTTP 429")),
        ("/status/429?retry-after=Fri,%2031%20Dec%202100%2023:59:59%20GMT", .transient("HTTP 429")),
    ]

    @Test("each ends as documented within the time limit", arguments: manners)
    func ends(path: String, end: End) async throws {
        let server = try await TestServer.started()
        // Short where the limit is what ends it, and where not, long enough for a busy machine.
        let isByLimit = if case .transient("timed out after 2 s") = end { true } else { false }
        let sink = try WebhookSink.test(server.url(path), timeout: .seconds(isByLimit ? 2 : 50))
        let error = try await sink.attempt()
        await sink.shutdown()
        expect(error, end, "http://127.0.0.1:\(server.port): ")
        if path.contains("retry-after=7") { #expect(error?.retryAfter == .seconds(7)) }
        if path.contains("2100") { #expect(try #require(error?.retryAfter) == .seconds(366 * 86_400)) }
    }

    @Test(
        "a certificate that is not right is no connection, and may be put right",
        arguments: [
            ("good", true, .delivered),
            ("good", false, .transient("TLS: the certificate is not trusted, has expired or is not valid yet")),
            ("self-signed", true, .transient("TLS: the certificate is not trusted, has expired or is not valid yet")),
            ("expired", true, .transient("TLS: the certificate is not trusted, has expired or is not valid yet")),
            ("other-host", true, .transient("TLS: the certificate is not for this host")),
        ] as [(String, Bool, End)])
    func certificates(name: String, isTrusted: Bool, end: End) async throws {
        let server = try await TestServer.started(secure: true)
        let url = server.url("/status/200", certificate: name)
        let sink = try WebhookSink.test(url, isTrusted ? "ca-file: \(server.caFile)" : "", timeout: .seconds(50))
        let error = try await sink.attempt()
        await sink.shutdown()
        expect(error, end, String(url.dropLast("/status/200".count)) + ": ")
        #expect(try server.received().count == (error == nil ? 1 : 0))
    }

    @Test(
        "a ca-file that is not there or no certificate fails the attempt, and may be put there; connections are used again"
    )
    func authorities() async throws {
        let server = try await TestServer.started(secure: true)
        let directory = try TemporaryDirectory()
        let sink = try SinkRegistry.soundSink(
            "webhook: \(server.url("/status/200", certificate: "good"))\nca-file: ca.pem", in: directory.path)
        let path = directory.file("ca.pem")
        #expect(
            try await sink.attempt()
                == .transient("the ca-file '\(path)' cannot be used: No such file or directory"))
        try directory.write("ca.pem", "nothing")
        #expect(
            try await sink.attempt()
                == .transient("the ca-file '\(path)' cannot be used: it has no certificates in PEM form"))
        try #require(unlink(path) == 0 && symlink(server.caFile, path) == 0)
        // The client closes a connection that is idle for 4 s. On a busy machine two requests can be further apart.
        var connections: [Int] = []
        for number in 0..<60 where connections.count == Set(connections).count {
            #expect(try await sink.attempt(Deliveries.one(number: number)) == nil)
            connections = try server.received().map(\.connection)
        }
        await sink.shutdown()
        #expect(connections.count > Set(connections).count)
    }

    @Test("a server that closes between two requests costs no more than a retry")
    func rude() async throws {
        let server = try await TestServer.started()
        let sink = try WebhookSink.test(server.url("/rude"))
        var delivered = 0
        for number in 0..<20 where delivered < 5 {
            let error = try await sink.attempt(Deliveries.one(number: number))
            #expect(error?.isTransient != false)
            if error == nil { delivered += 1 }
        }
        await sink.shutdown()
        #expect(delivered == 5)
    }

    private func expect(_ error: DeliveryError?, _ end: End, _ place: String) {
        switch end {
        case .delivered: #expect(error == nil)
        case .transient(let reason):
            #expect(error?.isTransient == true && error?.reason == place + reason, "\(error?.reason ?? "-")")
        case .permanent(let reason):
            #expect(error?.isTransient == false && error?.reason == place + reason, "\(error?.reason ?? "-")")
        }
    }
}

import Foundation
import TestServer
import Testing
import TminusCore
import TminusSinks
import TminusTestKit

/// What `make check-interop` hands to libraries of others: requests as they came to a server, and lines of a payload file.
@Suite("Interoperation")
struct InteropTests {
    private static let cases = ProcessInfo.processInfo.environment["TMINUS_INTEROP_CASES"]

    @Test("requests and lines are written for other libraries", .enabled(if: cases != nil))
    func write() async throws {
        let place = URL(fileURLWithPath: Self.cases ?? "")
        try? FileManager.default.removeItem(at: place)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let server = try await TestServer.started()
        let directory = try TemporaryDirectory()
        let secrets = ["whsec_" + Data((0..<32).map { UInt8($0 * 7) }).base64EncodedString(), "not base64: ä"]
        try directory.write("new", secrets[0])
        try directory.write("old", secrets[1])
        var expiry = Deliveries.one(number: 2)
        expiry.action = .expiry
        expiry.payload.before = nil
        expiry.payload.description = nil
        let deliveries = [Deliveries.one(), Deliveries.one(number: 1, text: Deliveries.oddText), expiry]
        let file = WebhookFileSink(path: place.appendingPathComponent("payloads.ndjson").path, sync: .never)
        for secret in ["{ file: new }", "{ file: old }", "[{ file: new }, { file: old }]"] {
            let sink = try SinkRegistry.soundSink(
                "webhook: \(server.url("/status/204"))\nsecret: \(secret)", in: directory.path)
            for delivery in deliveries {
                #expect(try await sink.attempt(delivery) == nil)
                #expect(try await file.attempt(delivery) == nil)
            }
            await sink.shutdown()
        }
        await file.shutdown()
        let requests = try server.received().enumerated().map { index, request in
            let used = index < 3 ? [secrets[0]] : index < 6 ? [secrets[1]] : secrets
            let name = deliveries[index % 3].payload.name
            return ["headers": request.headers, "body": request.body, "secrets": used, "name": name] as [String: Any]
        }
        let data = try JSONSerialization.data(withJSONObject: requests)
        try data.write(to: place.appendingPathComponent("requests.json"))
    }
}

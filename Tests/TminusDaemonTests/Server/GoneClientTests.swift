import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Testing
import TminusTestKit

@testable import TminusDaemon

@Suite("Clients that hang up")
struct GoneClientTests {
    @Test("a client that hangs up before the server asks who it is leaves no line in the log")
    func closed() async throws {
        let harness = try ControlHarness()
        let listener = try RawSocket(listeningAt: harness.path)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: harness.path).get()
        try await channel.close()
        let request = Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/items"),
            body: RequestBody(buffer: ByteBuffer()))
        let error = await #expect(throws: IOError.self) { _ = try await Peer(of: channel) }
        #expect(throws: IOError.self) {
            try harness.api().routes.answer(to: try #require(error), of: request, .nobody, harness.log.logger)
        }
        #expect(harness.log.lines.isEmpty, "\(harness.log.lines)")
        withExtendedLifetime(listener) {}
    }
}

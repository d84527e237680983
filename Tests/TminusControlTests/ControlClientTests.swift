import Glibc
import Testing
import TminusControl

@Suite("Control client")
struct ControlClientTests {
    @Test("an answer with an impossible status is an error, not a crash", arguments: ["099", "000"])
    func impossibleStatus(code: String) async throws {
        let server = try AnsweringSocket("HTTP/1.1 \(code) x\r\nContent-Length: 3\r\n\r\nok\n")
        let error = await #expect(throws: ControlFailure.self) {
            try await ControlClient.connected(to: server.path) { _ = try await $0.send("GET", "/v1/status") }
        }
        #expect(error?.kind == .inputOutput)
        #expect(error?.message.contains("no valid HTTP status") == true, "\(error?.message ?? "-")")
    }
}

internal import Foundation
internal import Hummingbird

/// Answers every request with the bytes of one file, and prints its port: what a server costs that decides nothing.
@main
struct BareServer {
    static func main() async throws {
        let bytes = try ByteBuffer(bytes: Data(contentsOf: URL(filePath: CommandLine.arguments[1])))
        let router = Router()
        router.get("**") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/octet-stream"], body: ResponseBody(byteBuffer: bytes))
        }
        let server = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                print(channel.localAddress?.port ?? 0)
                fflush(stdout)
            })
        try await server.runService()
    }
}

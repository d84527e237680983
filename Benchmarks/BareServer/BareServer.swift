internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// Answers every request with the bytes of one file and with given header fields, and prints its port: what a server
/// costs that decides nothing. The arguments are the file, then `name: value` for each field.
@main
struct BareServer {
    static func main() async throws {
        let bytes = try ByteBuffer(bytes: Data(contentsOf: URL(filePath: CommandLine.arguments[1])))
        let headers = HTTPFields(
            CommandLine.arguments.dropFirst(2).compactMap { argument in
                let parts = argument.split(separator: ": ", maxSplits: 1).map(String.init)
                return HTTPField.Name(parts[0]).map { HTTPField(name: $0, value: parts[1]) }
            })
        let router = Router()
        router.get("**") { _, _ in
            Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: bytes))
        }
        let server = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                FileHandle.standardOutput.write(Data("\(channel.localAddress?.port ?? 0)\n".utf8))
            })
        try await server.runService()
    }
}

internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TminusControl

extension Response {
    /// Bytes of JSON.
    static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Items as they are written, piece by piece.
    static func json(_ items: [Item]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody { writer in
                for piece in Item.jsonPieces(items) { try await writer.write(ByteBuffer(bytes: piece)) }
                try await writer.finish(nil)
            })
    }

    /// A value as JSON.
    static func json(_ value: some Encodable) throws -> Response {
        .json(try ControlJSON.encode(value))
    }

    /// A problem as RFC 9457 has it.
    static func problem(_ problem: Problem, headers: HTTPFields = [:]) -> Response {
        let bytes = (try? ControlJSON.encode(problem)) ?? []
        var headers = headers
        headers[.contentType] = "application/problem+json"
        return Response(
            status: HTTPResponse.Status(code: problem.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension Request {
    /// The body as a value; one without anything counts as an empty object.
    ///
    /// Errors: a ``Problem`` for what is too large, comes too slowly, or is no such value.
    func decoded<Value: Decodable & Sendable>(as type: Value.Type) async throws -> Value {
        let bytes = try await boundedBody()
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes.isEmpty ? Array("{}".utf8) : bytes))
        } catch let error as DecodingError {
            throw Problem(.badRequest, ControlJSON.reason(error))
        }
    }

    /// How long a body may take to arrive.
    private static var bodyTime: Duration { .seconds(10) }

    private func boundedBody() async throws -> [UInt8] {
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > ControlContext.bodyLimit {
            throw Self.tooLarge
        }
        let body = body
        return try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask {
                do {
                    return Array(try await body.collect(upTo: ControlContext.bodyLimit).readableBytesView)
                } catch is NIOTooManyBytesError {
                    throw Self.tooLarge
                }
            }
            group.addTask {
                try await Task.sleep(for: Self.bodyTime)
                throw Problem(.tooSlow, "the body did not come within \(Self.bodyTime.components.seconds) s")
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }

    private static var tooLarge: Problem {
        Problem(.tooLarge, "a request has at most \(ControlContext.bodyLimit / 1_024) KiB")
    }
}

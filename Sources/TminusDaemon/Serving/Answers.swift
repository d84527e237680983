internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTPTypes
internal import TminusControl

extension Response {
    /// Answers with JSON bytes.
    static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Answers with one item.
    static func json(_ item: Item, status: HTTPResponse.Status = .ok) -> Response {
        .json(item.json + [UInt8(ascii: "\n")], status: status)
    }

    /// Streams items as a JSON array, one chunk at a time.
    static func json(_ items: [Item]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody { writer in
                for piece in Item.jsonPieces(items) { try await writer.write(ByteBuffer(bytes: piece)) }
                try await writer.finish(nil)
            })
    }

    /// Answers with a value encoded as JSON.
    static func json(_ value: some Encodable) throws -> Response {
        .json(try ControlJSON.encode(value))
    }

    /// Answers with a problem (RFC 9457).
    static func problem(_ problem: Problem, headers: HTTPFields = [:]) -> Response {
        let bytes = (try? ControlJSON.encode(problem)) ?? []
        var headers = headers
        if let tag = problem.etag { headers[.eTag] = tag }
        headers[.contentType] = "application/problem+json"
        return Response(
            status: HTTPResponse.Status(code: problem.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension Request {
    /// Reads the body before any route does, so that a request whose body is not HTTP is refused as a whole.
    ///
    /// Answers `Expect: 100-continue` with 100 (RFC 9110, section 10.1.1), after the client was admitted and the length checked, so that
    /// no refused body is sent.
    ///
    /// Throws ``Problem`` if the body has more than `limit` bytes or arrives too slowly, `HTTPParserError` if it is not HTTP.
    mutating func readBody(upTo limit: Int, on channel: any Channel) async throws {
        // Without one of these there is no body (RFC 9112, section 6.3).
        guard headers[.contentLength] != nil || headers[.transferEncoding] != nil else { return }
        let expectsContinue = headers[.expect]?.lowercased() == "100-continue"
        // The library reads the rest of a body after the answer, but not of the last request of a connection.
        let isLast = headers[.connection]?.lowercased() == "close"
        let readLimit = isLast && !expectsContinue ? Self.discardLimit : limit
        let length = headers[.contentLength].flatMap { Int($0) } ?? 0
        if length > readLimit { throw Self.tooLarge(limit) }
        if expectsContinue {
            try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
        }
        let incoming = body
        body = RequestBody(
            buffer: try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
                group.addTask {
                    var (bytes, count) = (ByteBuffer(), 0)
                    for try await part in incoming {
                        count += part.readableBytes
                        if count > readLimit { break }
                        if count <= limit { bytes.writeImmutableBuffer(part) }
                    }
                    guard count <= limit else { throw Self.tooLarge(limit) }
                    return bytes
                }
                group.addTask {
                    try await Task.sleep(for: Self.bodyTime)
                    guard length <= limit else { throw Self.tooLarge(limit) }
                    throw Problem(.tooSlow, "the body did not arrive within \(Self.bodyTime.components.seconds) s")
                }
                defer { group.cancelAll() }
                return try await group.next() ?? ByteBuffer()
            })
    }

    /// Decodes the body, which ``readBody(upTo:on:)`` has read; an empty body counts as an empty object.
    ///
    /// Throws ``Problem`` if the body is invalid.
    func decoded<Value: Decodable & Sendable>(as type: Value.Type) async throws -> Value {
        let bytes = Array(try await body.collect(upTo: ControlContext.bodyLimit).readableBytesView)
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes.isEmpty ? Array("{}".utf8) : bytes))
        } catch let error as DecodingError {
            throw Problem(.badRequest, ControlJSON.reason(error))
        }
    }

    /// How many bytes of a body that is too large are read and discarded. Many clients read the answer only after they
    /// have sent the whole body.
    private static var discardLimit: Int { 64 << 20 }

    /// The time limit for a body to arrive.
    private static var bodyTime: Duration { .seconds(10) }

    private static func tooLarge(_ limit: Int) -> Problem {
        Problem(.tooLarge, "the body is too large; this request has at most \(limit / 1_024) KiB")
    }
}

internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
package import TminusCore
internal import TminusHTTP
internal import TminusSystem

/// A client of the daemon's control socket.
package struct ControlClient: Sendable {
    /// The path of the socket.
    package let socket: String
    let client: HTTPClient
    private let delivery: DeliveryID?

    /// The header with the id of the delivery whose hook sends a request. The daemon records it with each control.
    package static let deliveryHeader = "tminus-delivery"

    /// The delivery whose hook this process belongs to, by `TMINUS_DELIVERY`.
    package static var deliveryOfHook: DeliveryID? {
        MachinePaths.environment["TMINUS_DELIVERY"].flatMap { DeliveryID($0) }
    }

    /// The time limit for answers that the daemon gives at once.
    let patience: Duration

    /// The largest answer accepted, in bytes.
    package static let answerLimit = 256 << 20

    /// Runs `body` with a client of the daemon at `socket`, which acts for the hook of `delivery` if that is not nil.
    /// Throws ``ControlFailure`` if no daemon answers, and what `body` throws. `patience` is the time limit for answers
    /// that the daemon gives at once.
    package static func connected<Result: Sendable>(
        to socket: String, for delivery: DeliveryID? = Self.deliveryOfHook, patience: Duration = .seconds(10),
        _ body: (ControlClient) async throws -> Result
    ) async throws -> Result {
        try SocketProbe.check(socket)
        var configuration = HTTPClient.Configuration.checked
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = .seconds(5)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let result = try await body(
                ControlClient(socket: socket, client: client, delivery: delivery, patience: patience))
            try? await client.shutdown()
            return result
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    /// Sends a request and returns the body of the answer.
    ///
    /// - Parameters:
    ///   - limit: The longest time until the answer; nil if the daemon gives it at once.
    ///   - answerLimit: The largest body that is accepted, in bytes.
    /// - Throws: ``ControlFailure``.
    package func send(
        _ method: String, _ path: String, body: [UInt8]? = nil, limit: Duration? = nil,
        answerLimit: Int = Self.answerLimit
    ) async throws(ControlFailure) -> [UInt8] {
        try await reply(to: method, path, body: body, limit: limit, answerLimit: answerLimit).bytes
    }

    /// Sends a request and returns the body of the answer, and the path of the next page if it has one (RFC 8288).
    func reply(
        to method: String, _ path: String, body: [UInt8]? = nil, limit: Duration? = nil,
        answerLimit: Int = Self.answerLimit
    ) async throws(ControlFailure) -> (bytes: [UInt8], next: String?) {
        let (bytes, status, next) = try await exchange(
            method, path, body: body, limit: limit, answerLimit: answerLimit)
        guard status >= 300 else { return (bytes, next) }
        throw Self.refusal(bytes, status)
    }

    /// Asks a probe of the daemon, and returns whether its answer is good, with the answer, which is one line.
    package func probe(_ path: String) async throws(ControlFailure) -> (isGood: Bool, line: String) {
        let (bytes, status, _) = try await exchange("GET", path, body: nil, limit: nil, answerLimit: Self.answerLimit)
        guard status < 300 || status == 503 else { throw Self.refusal(bytes, status) }
        // A server that stops answers with a problem.
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return (status < 300, line.hasPrefix("{") ? "not ready: stopping" : line)
    }

    /// Sends a request and returns the answer whatever its status is.
    private func exchange(
        _ method: String, _ path: String, body: [UInt8]?, limit: Duration?, answerLimit: Int
    ) async throws(ControlFailure) -> (bytes: [UInt8], status: Int, next: String?) {
        var request = request(method, path)
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(body)
        }
        do {
            let response = try await client.execute(
                request, timeout: .nanoseconds((limit ?? patience).nanosecondsForClient))
            let status = Int(response.status.code)
            let next = response.headers.first(name: "link").flatMap(Self.nextPage)
            var received: [UInt8] = []
            for try await part in response.body {
                guard received.count + part.readableBytes <= answerLimit else {
                    throw NIOTooManyBytesError(maxBytes: answerLimit)
                }
                received.append(contentsOf: part.readableBytesView)
            }
            return (received, status, next)
        } catch {
            throw failure(error)
        }
    }

    /// The path in a header `link: </path>; rel="next"`.
    private static func nextPage(_ link: String) -> String? {
        guard link.hasPrefix("</"), link.hasSuffix("; rel=\"next\""), let end = link.firstIndex(of: ">") else {
            return nil
        }
        return String(link[..<end].dropFirst())
    }

    /// Sends a request and decodes the answer.
    package func ask<Answer: Decodable & Sendable>(
        _ method: String, _ path: String, body: [UInt8]? = nil, limit: Duration? = nil,
        for type: Answer.Type = Answer.self
    ) async throws(ControlFailure) -> Answer {
        let bytes = try await send(method, path, body: body, limit: limit)
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw ControlFailure(
                .inputOutput, "cannot read the daemon's answer; restart the daemon if its version differs (\(error))")
        }
    }

    /// Opens an event stream, which lasts until the daemon ends it. `lastEvent` is the id of the last event received.
    func open(_ path: String, lastEvent: String?) async throws(ControlFailure) -> HTTPClientResponse {
        var request = request("GET", path)
        if let lastEvent { request.headers.add(name: "last-event-id", value: lastEvent) }
        let response: HTTPClientResponse
        do {
            response = try await client.execute(request, deadline: .distantFuture)
            guard response.status.code >= 300 else { return response }
            let bytes = Array(try await response.body.collect(upTo: Self.answerLimit).readableBytesView)
            throw Self.refusal(bytes, Int(response.status.code))
        } catch {
            throw failure(error)
        }
    }

    /// Maps an error of the HTTP library to a failure.
    func failure(_ error: any Error) -> ControlFailure {
        if let failure = error as? ControlFailure { return failure }
        if let error = error as? HTTPClientError, error == .deadlineExceeded || error == .readTimeout {
            return ControlFailure(
                .inputOutput,
                "the daemon does not answer: it is suspended or stuck, or the machine is overloaded; the request may or may not have been done"
            )
        }
        if let error = error as? NIOTooManyBytesError {
            let most = error.maxBytes ?? Self.answerLimit
            return ControlFailure(
                .inputOutput, "the answer is larger than \(most) bytes; use 'tminus show' for a single definition")
        }
        if error is InvalidHTTPStatus {
            return ControlFailure(
                .inputOutput, "the answer has no valid HTTP status: does another program listen at \(socket)?")
        }
        return ControlFailure(
            .noDaemon,
            "the daemon stopped before it answered; the request may or may not have been done: start the daemon and check with 'tminus show'"
        )
    }

    func request(_ method: String, _ path: String) -> HTTPClientRequest {
        // The socket's path takes the place of the host (RFC 3986, section 3.2.2), so every character that could end a
        // host must be encoded.
        let host = socket.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? socket
        var request = HTTPClientRequest(url: "http+unix://\(host)\(path)")
        request.method = HTTPMethod(rawValue: method)
        if let delivery { request.headers.add(name: Self.deliveryHeader, value: delivery.rawValue) }
        return request
    }

    private static func refusal(_ bytes: [UInt8], _ status: Int) -> ControlFailure {
        guard let problem = try? JSONDecoder().decode(Problem.self, from: Data(bytes)) else {
            return ControlFailure(.inputOutput, "the daemon answered with status \(status)")
        }
        return ControlFailure(problem)
    }
}

extension Duration {
    var nanosecondsForClient: Int64 {
        let (seconds, attoseconds) = components
        return min(seconds, 1_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

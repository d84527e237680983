internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import TminusCore

extension ControlClient {
    /// The header with the user for whom a request is sent, percent-encoded. The daemon records it with each control.
    package static let userHeader = "tminus-user"

    /// The value of the header for a user.
    package static func userValue(_ name: String) -> String { escaped(String(name.prefix(200))) }

    /// The user in a value of the header; nil if it is not fit for a line of a log.
    package static func user(in value: String) -> String? {
        let name = value.removingPercentEncoding ?? ""
        return (1...200).contains(name.count) ? VisibleText.escaped(name) : nil
    }

    /// The largest answer that is forwarded, in bytes. It is in memory as a whole.
    package static let forwardingLimit = 8 << 20

    /// Carries out a request that came from another machine. Each refusal and each failure is an answer too.
    ///
    /// - Parameter limit: The longest time until the answer.
    package func carryOut(_ forwarded: PortableRequest, limit: Duration) async -> PortableAnswer {
        var request = request(forwarded.method, forwarded.path)
        for (name, value) in forwarded.headers { request.headers.add(name: name, value: value) }
        if let body = forwarded.body { request.body = .bytes(Array(body.utf8)) }
        do {
            let response = try await client.execute(request, timeout: .nanoseconds(limit.nanosecondsForClient))
            let body = try await response.body.collect(upTo: Self.forwardingLimit)
            let headers = PortableAnswer.headers.compactMap { name in
                response.headers.first(name: name).map { (name, $0) }
            }
            return PortableAnswer(
                status: Int(response.status.code), headers: Dictionary(headers) { first, _ in first },
                body: String(decoding: body.readableBytesView, as: UTF8.self))
        } catch is NIOTooManyBytesError {
            let advice =
                forwarded.method == "GET" ? "run the command on the machine that leads" : "the command was carried out"
            return PortableAnswer(
                Problem(.unavailable, "the answer has more than \(Self.forwardingLimit >> 20) MiB; \(advice)"))
        } catch {
            return PortableAnswer(Problem(.unavailable, "\(failure(error))"))
        }
    }
}

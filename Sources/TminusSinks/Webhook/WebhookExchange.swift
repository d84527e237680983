import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import TminusCore

/// One request and its answer, within a time limit over all of it.
struct WebhookExchange {
    /// The head of an answer, by which the delivery is judged, and the rest of it.
    struct Answer: Sendable {
        /// What the status means; nil: delivered.
        var verdict: DeliveryError?
        /// Reads the rest, so that the connection can be used again.
        var discardBody: @Sendable () async -> Void
    }

    /// From the connection to the end of the answer.
    var timeout: Duration
    /// Sends the request; returns when the head of the answer is there.
    var send: @Sendable () async throws -> Answer
    /// What waits for the end of the time limit.
    var sleep: @Sendable (Duration) async throws -> Void

    /// How much of an answer is read. The connection of a longer one is closed.
    static let bodyLimit = 4096

    private enum End: Sendable {
        case answered(DeliveryError?)
        case timeout
        case cancelled
    }

    /// Performs the exchange; nil: delivered.
    func perform() async -> DeliveryError? {
        await withTaskGroup(of: End.self) { group in
            group.addTask { [self] in await exchange() }
            group.addTask { [sleep, timeout] in
                (try? await sleep(timeout)) == nil ? .cancelled : .timeout
            }
            var end = await group.next() ?? .cancelled
            group.cancelAll()
            // A status that had arrived holds, though the time was over while the rest of the answer was read.
            if case .timeout = end, case .answered(let error)? = await group.next() { end = .answered(error) }
            switch end {
            case .answered(let error): return error
            case .timeout: return .transient("timed out after \(PlainText.duration(timeout))")
            case .cancelled: return .stopped
            }
        }
    }

    private func exchange() async -> End {
        do {
            let answer = try await send()
            // What the status means is settled, whatever becomes of the body.
            await answer.discardBody()
            return .answered(answer.verdict)
        } catch let error as HTTPClientError where error == .deadlineExceeded || error == .connectTimeout {
            return .timeout
        } catch let error as HTTPClientError where error == .cancelled {
            return .cancelled
        } catch is CancellationError {
            return .cancelled
        } catch {
            return .answered(WebhookVerdict.of(error))
        }
    }
}

extension HTTPClient {
    /// Sends a request whose answer is to begin within `timeout`.
    func answer(to request: HTTPClientRequest, within timeout: Duration) async throws -> WebhookExchange.Answer {
        let limit = TimeAmount.nanoseconds(min(timeout.nanoseconds, 366 * 86_400 * 1_000_000_000))
        let response = try await execute(request, timeout: limit)
        let verdict = WebhookVerdict.of(
            status: Int(response.status.code), retryAfter: response.headers.first(name: "Retry-After"),
            now: Int64(time(nil)))
        return WebhookExchange.Answer(verdict: verdict) {
            var count = 0
            do {
                for try await piece in response.body {
                    count += piece.readableBytes
                    if count > WebhookExchange.bodyLimit { return }
                }
            } catch {
                // The status is what counts.
            }
        }
    }
}

import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import TminusCore

/// One request and its answer, within a time limit over all of it.
struct WebhookExchange {
    /// Sends the request.
    var client: HTTPClient
    /// From the connection to the end of the answer.
    var timeout: Duration

    /// How much of an answer is read. The connection of a longer one is closed.
    static let bodyLimit = 4096

    private enum End: Sendable {
        case answered(DeliveryError?)
        case timeout
        case cancelled
    }

    /// Performs the exchange; nil: delivered.
    func perform(_ request: HTTPClientRequest) async -> DeliveryError? {
        await withTaskGroup(of: End.self) { group in
            group.addTask { [self] in await exchange(request) }
            group.addTask { [timeout] in
                (try? await Task.sleep(for: timeout)) == nil ? .cancelled : .timeout
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

    private func exchange(_ request: HTTPClientRequest) async -> End {
        do {
            let response = try await client.execute(request, timeout: Self.amount(timeout))
            let verdict = WebhookVerdict.of(
                status: Int(response.status.code), retryAfter: response.headers.first(name: "Retry-After"),
                now: Int64(time(nil)))
            // What the status means is settled. The body is only read so that the connection can be used again.
            await Self.discard(response.body)
            return .answered(verdict)
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

    private static func discard(_ body: HTTPClientResponse.Body) async {
        var count = 0
        do {
            for try await piece in body {
                count += piece.readableBytes
                if count > bodyLimit { return }
            }
        } catch {
            // The status is what counts.
        }
    }

    private static func amount(_ duration: Duration) -> TimeAmount {
        .nanoseconds(min(duration.nanoseconds, 366 * 86_400 * 1_000_000_000))
    }
}

import AsyncHTTPClient
import Glibc
import NIOCore
import NIOPosix
import TminusCore

/// What an answer or a failure of the network means for a delivery.
enum WebhookVerdict {
    /// The error that a status stands for; nil: delivered.
    static func of(status: Int, retryAfter: String?, now: Int64) -> DeliveryError? {
        switch status {
        case 200..<300: nil
        case 408, 425, 429, 500...:
            .transient("HTTP \(status)", retryAfter: retryAfter.flatMap { RetryAfter.parse($0, now: now) })
        case 300..<400: .permanent("HTTP \(status): redirects are not followed")
        default: .permanent("HTTP \(status)")
        }
    }

    /// The error for a request that got no answer. Transport errors pass, so all are transient.
    static func of(_ error: any Error) -> DeliveryError {
        .transient(words(error))
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case let error as IOError:
            return error.errnoCode == ECONNREFUSED ? "connection refused" : words(error.errnoCode)
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first { return words(first.error) }
            return "the host name was not found"
        case let error as HTTPClientError:
            // The short form names the case and never the URL.
            return "HTTP: \(error.shortDescription)"
        default:
            return "the connection failed (\(type(of: error)))"
        }
    }

    private static func words(_ number: CInt) -> String {
        let text = PlainText.error(number)
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

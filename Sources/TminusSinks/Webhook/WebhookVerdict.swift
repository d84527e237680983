import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import TminusCore
import TminusHTTP
import TminusSystem

/// The meaning of an answer or a network failure for a delivery.
enum WebhookVerdict {
    /// The error that a status means; nil: delivered.
    static func of(status: Int, retryAfter: String?, now: Int64) -> DeliveryError? {
        switch status {
        case 200..<300: nil
        case 408, 425, 429, 500...:
            .transient("HTTP \(status)", retryAfter: retryAfter.flatMap { RetryAfter.parse($0, now: now) })
        case 301, 302, 303, 307, 308: .permanent("HTTP \(status): redirects are not followed")
        default: .permanent("HTTP \(status)")
        }
    }

    /// The error of a request without a usable answer. Transport errors are temporary, so all of them are transient.
    static func of(_ error: any Error) -> DeliveryError {
        error is InvalidHTTPStatus ? .permanent("not a valid HTTP status") : .transient(words(error))
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case let error as IOError:
            return error.errnoCode == ECONNREFUSED ? "connection refused" : words(error.errnoCode)
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first { return words(first.error) }
            return "the host name was not found"
        case let error as NIOSSLError:
            return words(error)
        case is NIOSSLExtraError:
            return "TLS: the certificate is not for this host"
        case HTTPParserError.invalidEOFState:
            return "the connection ended in the middle of the answer"
        case is HTTPParserError:
            return "the answer is not HTTP, or its head is too long"
        case let error as HTTPClientError:
            // The short form never contains the URL.
            return "HTTP: \(error.shortDescription)"
        default:
            return "the connection failed (\(type(of: error)))"
        }
    }

    private static func words(_ error: NIOSSLError) -> String {
        switch error {
        case .handshakeFailed(let cause):
            // Only the text of the library's error says that the certificate is the problem.
            return "\(cause)".contains("CERTIFICATE_VERIFY_FAILED")
                ? "TLS: the certificate is not trusted, has expired or is not valid yet" : "TLS: the handshake failed"
        case .uncleanShutdown: return "TLS: the connection was closed without a closing message"
        default: return "TLS: the connection failed"
        }
    }

    private static func words(_ number: CInt) -> String {
        let text = ErrorText.of(number)
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

internal import Foundation
internal import HTTPTypes

/// What a request shows to say who sends it.
enum Credentials: Sendable, Hashable {
    /// Nothing.
    case none
    /// The secret of a token.
    case token(String)
    /// A field that is no credential, and why.
    case unusable(String)

    /// Reads the field `Authorization`: `Bearer` (RFC 6750), or for reading `Basic` with the token as password (RFC 7617), because
    /// calendars know nothing else. Its user name does not matter.
    init(_ request: HTTPRequest) {
        guard let field = request.headerFields[.authorization] else {
            self = .none
            return
        }
        let parts = field.split(separator: " ", maxSplits: 1).map(String.init)
        switch (parts.first?.lowercased(), parts.dropFirst().first) {
        case ("bearer", let secret?): self = .token(secret)
        case ("basic", let text?) where [.get, .head].contains(request.method):
            self = Self.password(of: text).map { .token($0) } ?? .unusable("the user and password are not base64")
        case ("basic", _): self = .unusable("a change needs 'Authorization: Bearer', not Basic")
        default: self = .unusable("send the token as 'Authorization: Bearer'")
        }
    }

    private static func password(of text: String) -> String? {
        guard let bytes = Data(base64Encoded: text) else { return nil }
        let pair = String(decoding: bytes, as: UTF8.self)
        return pair.firstIndex(of: ":").map { String(pair[$0...].dropFirst()) }
    }
}

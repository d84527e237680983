internal import HTTPTypes

/// The cookie by which a browser shows its session.
///
/// No script can read it, and no other site has it sent. With TLS its name has the prefix that ties it to this host, or below a path to
/// secure connections, so that no neighbour can set it (RFC 6265bis, section 4.1.3). Over plain HTTP browsers refuse these prefixes.
struct SessionCookie: Sendable, Hashable {
    /// The name.
    let name: String
    private let attributes: String

    /// As long as browsers keep a cookie at most: 400 days, in seconds (RFC 6265bis, section 5.5). The daemon ends most sessions earlier.
    private static let longestAge = 34_560_000

    /// The cookie of a door.
    ///
    /// - Parameters:
    ///   - isEncrypted: Whether the browser speaks TLS.
    ///   - prefix: The path below which a proxy has the daemon, such as `/tools/tminus`; empty for none.
    init(isEncrypted: Bool, prefix: String = "") {
        name = isEncrypted ? (prefix.isEmpty ? "__Host-tminus" : "__Secure-tminus") : "tminus"
        attributes =
            "; HttpOnly; SameSite=Strict; Path=\(prefix.isEmpty ? "/" : prefix)" + (isEncrypted ? "; Secure" : "")
    }

    /// The value of `Set-Cookie` that gives it to a browser.
    func setting(_ secret: String) -> String { "\(name)=\(secret)\(attributes); Max-Age=\(Self.longestAge)" }

    /// The value of `Set-Cookie` that takes it away.
    var clearing: String { "\(name)=\(attributes); Max-Age=0" }

    /// What a request shows; nil if it does not.
    func secret(in request: HTTPRequest) -> String? {
        for pair in (request.headerFields[.cookie] ?? "").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0].drop(while: { $0 == " " }) == name { return String(parts[1]) }
        }
        return nil
    }
}

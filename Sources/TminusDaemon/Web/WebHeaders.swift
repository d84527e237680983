internal import HTTPTypes

/// The header fields of every answer over TCP. They tell browsers what no page may do with it.
///
/// There are none for CORS: no other site reads anything here, and no preflight is answered.
enum WebHeaders {
    /// Adds them; only `Cache-Control` may be there already.
    static func add(to fields: inout HTTPFields) {
        for (name, value) in all { fields[name] = value }
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    }

    private static let all: [(HTTPField.Name, String)] = [
        ("content-security-policy", policy), ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "same-origin"), ("cross-origin-opener-policy", "same-origin"),
        // With `no-referrer`, the page's own form would send `Origin: null`.
        ("referrer-policy", "same-origin"),
    ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }

    /// Nothing but what the daemon serves: no inline script, no frame around the page, no markup made of text.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ].joined(separator: "; ")
}

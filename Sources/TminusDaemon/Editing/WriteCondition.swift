internal import HTTPTypes
internal import TminusControl

/// What a client says of the file that it writes (RFC 9110, section 13.1).
enum WriteCondition: Sendable, Hashable {
    /// The present text has one of these entity tags.
    case matches([String])
    /// There is no such file.
    case absent
    /// Nothing.
    case unknown

    /// Reads the headers `If-Match` and `If-None-Match`.
    ///
    /// - Throws: ``Problem`` if they make no sense, or would overwrite a text that the client has not read.
    init(_ headers: HTTPFields) throws(Problem) {
        switch (headers[.ifMatch], headers[.ifNoneMatch]) {
        case (nil, nil): self = .unknown
        case (let tags?, nil):
            let tags = tags.split(separator: ",").map { Self.strong(String($0)) }
            if tags.contains("*") {
                throw Problem(.unconditional, "If-Match must be the ETag of the text that you replace, not '*'")
            }
            guard !tags.isEmpty, tags.allSatisfy({ $0.count > 1 && $0.hasPrefix("\"") && $0.hasSuffix("\"") }) else {
                throw Problem(.badRequest, "If-Match: expected the ETag of GET /file, with its quotation marks")
            }
            self = .matches(tags)
        case (nil, "*"): self = .absent
        case (nil, _): throw Problem(.badRequest, "If-None-Match: expected '*', for a file that must not exist yet")
        case (_?, _?): throw Problem(.badRequest, "give either If-Match or If-None-Match")
        }
    }

    /// A tag without white space and without the mark of a weak one: a proxy that compresses answers makes tags weak, although the
    /// text is the same.
    private static func strong(_ text: String) -> String {
        let tag = text.filter { $0 != " " && $0 != "\t" }
        return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }
}

import Mustache
package import TminusCore

/// A Mustache template over the `data` of a payload, compiled once.
package struct TextTemplate: Sendable {
    /// Why a template cannot be used.
    package struct Problem: Error, Sendable, Hashable {
        /// The reason and the place in the template, for a diagnostic.
        package var message: String
    }

    /// The most UTF-8 bytes of a template. The library's parser takes quadratic time.
    package static let limit = 8_192
    /// The most sections of a template. The library's parser and renderer are recursive.
    package static let sectionLimit = 64

    private let template: MustacheTemplate

    /// Compiles `text`.
    ///
    /// - Throws: A syntax error, or the first name that no payload has.
    package init(_ text: String, escaping: TemplateEscaping) throws(Problem) {
        guard text.utf8.count <= Self.limit else {
            throw Problem(message: "has more than \(Self.limit / 1024) KiB")
        }
        guard Self.sections(in: text) <= Self.sectionLimit else {
            throw Problem(message: "opens more than \(Self.sectionLimit) sections")
        }
        _ = TemplateEscaping.registration
        do {
            // The library removes this line, so that the text begins as it would without it.
            template = try MustacheTemplate(string: "{{% CONTENT_TYPE: \(escaping.rawValue)}}\n" + text)
        } catch let error as MustacheTemplate.ParserError {
            throw Problem(error)
        } catch {
            throw Problem(message: "cannot be read")
        }
        if let problem = TemplateProbe.problem(of: self, text) { throw problem }
    }

    /// The text for a delivery.
    package func render(_ delivery: Delivery) -> String {
        render(TemplateData(delivery).values)
    }

    func render(_ data: Any) -> String {
        template.render(data)
    }

    /// An upper bound of the sections of `text`: with other delimiters any of these characters may open one.
    private static func sections(in text: String) -> Int {
        let openers = Set("#^$<".utf8)
        guard !text.contains("{{=") else { return text.utf8.count { openers.contains($0) } }
        return zip(text.utf8, text.utf8.dropFirst(2)).count { $0 == UInt8(ascii: "{") && openers.contains($1) }
    }
}

extension TextTemplate.Problem {
    fileprivate init(_ error: MustacheTemplate.ParserError) {
        let reason =
            switch error.error as? MustacheTemplate.Error {
            case .sectionCloseNameIncorrect: "a section ends here that is not open"
            case .expectedSectionEnd: "a section has no end, such as {{/name}}"
            case .invalidSetDelimiter: "the delimiters must be set as in {{=<% %>=}}"
            case .invalidConfigVariableSyntax, .unrecognisedConfigVariable:
                "a {{% tag must be {{% CONTENT_TYPE: \(TemplateEscaping.allCases.map(\.rawValue).joined(separator: "/"))}}"
            default: "a tag is not finished, or has a name with other characters than letters, digits, '.', '-' and '_'"
            }
        // The first line is the one added above.
        let place = "line \(max(1, error.context.lineNumber - 1)), column \(error.context.columnNumber) of the text"
        self.init(message: "is not a Mustache template: \(reason) (\(place))")
    }
}

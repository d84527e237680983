import Mustache
package import TminusCore

/// A Mustache template over the `data` of a payload, compiled once.
package struct TextTemplate: Sendable {
    /// What is wrong with a template.
    package struct Problem: Error, Sendable, Hashable {
        /// For a diagnostic; the words for the place in the template among them.
        package var message: String
    }

    /// The most that a template may have, in UTF-8 bytes: the library's parser needs time by the square of it.
    package static let limit = 8_192
    /// The most sections that a template may open: the library's parser and writer call themselves for each level.
    package static let sectionLimit = 64

    private let template: MustacheTemplate

    /// Compiles `text`; `{{name}}` is escaped as told.
    ///
    /// - Throws: what is wrong with the syntax, or the first name that a payload never has.
    package init(_ text: String, escaping: TemplateEscaping) throws(Problem) {
        guard text.utf8.count <= Self.limit else {
            throw Problem(message: "has more than \(Self.limit / 1024) KiB")
        }
        guard Self.sections(in: text) <= Self.sectionLimit else {
            throw Problem(message: "opens more than \(Self.sectionLimit) sections")
        }
        _ = TemplateEscaping.registration
        do {
            // In a line of its own, which the library takes out again, so that the text begins as it would without it.
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

    /// No fewer than the sections of `text`: with other delimiters any of these characters may open one.
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
        // The first line is ours.
        let place = "line \(max(1, error.context.lineNumber - 1)), column \(error.context.columnNumber) of the text"
        self.init(message: "is not a Mustache template: \(reason) (\(place))")
    }
}

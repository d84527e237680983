import Mustache
import TminusCore

/// How a template escapes a value for `{{name}}`. `{{{name}}}` is never escaped.
package enum TemplateEscaping: String, CaseIterable, Sendable {
    /// For a JSON string (RFC 8259, section 7): no value can end the string that contains it.
    case json = "JSON"
    /// For `application/x-www-form-urlencoded` (WHATWG URL, section 5.2).
    case form = "FORM"
    /// For HTML or XML text or a quoted attribute.
    case html = "HTML"
    /// Not at all.
    case text = "TEXT"

    /// The escaping for a media type such as `application/json; charset=utf-8`.
    init(mediaType: String) {
        let essence = mediaType.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        switch essence {
        case "application/x-www-form-urlencoded": self = .form
        case "text/html", "application/xhtml+xml", "application/xml", "text/xml": self = .html
        case _ where essence.hasSuffix("/json") || essence.hasSuffix("+json"): self = .json
        case _ where essence.hasSuffix("+xml"): self = .html
        default: self = .text
        }
    }

    /// Escapes `text`.
    func escape(_ text: String) -> String {
        switch self {
        case .json: JSONWriter.escaped(text)
        case .form: Self.form(text)
        case .html: Self.html(text)
        case .text: text
        }
    }

    private static func form(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case 0x20: result += "+"
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }

    /// By scalar: the library's own HTML escaping goes by character, and a combining mark would hide a `<` from it.
    private static func html(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Registers the escapings with the template library, once for the process.
    static let registration: Void = {
        for escaping in allCases {
            MustacheContentTypes.register(Registered(escaping: escaping), named: escaping.rawValue)
        }
    }()

    private struct Registered: MustacheContentType {
        let escaping: TemplateEscaping
        func escapeText(_ text: String) -> String { escaping.escape(text) }
    }
}

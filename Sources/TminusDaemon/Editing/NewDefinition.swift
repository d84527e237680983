internal import Foundation
internal import TminusControl
internal import TminusCore
internal import TminusDefinitions

/// A definition that a client wants to have in a file.
struct NewDefinition: Sendable {
    let kind: DefinitionKind
    let id: DefinitionID
    /// The path of the file; nil: it is chosen.
    let file: String?
    /// Its keys, in the order of the request.
    let entries: [Node.Entry]

    /// Reads the body of a request.
    ///
    /// - Throws: ``Problem``.
    init(json bytes: [UInt8]) throws(Problem) {
        let body = try Self.body(bytes)
        guard let kind = DefinitionKind(rawValue: body.kind) else {
            let known = DefinitionKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.badRequest, "'kind': expected one of \(known)")
        }
        (self.kind, file) = (kind, body.file)
        entries = try Self.entries(bytes)
        id = try Self.id(body, kind, entries)
    }

    private static func body(_ bytes: [UInt8]) throws(Problem) -> DefinitionBody {
        do {
            return try JSONDecoder().decode(DefinitionBody.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw Problem(.badRequest, ControlJSON.reason(error))
        } catch {
            throw Problem(.badRequest, "the body is not valid")
        }
    }

    /// The keys of the definition; one whose value is null counts as absent.
    private static func entries(_ bytes: [UInt8]) throws(Problem) -> [Node.Entry] {
        let read = DocumentReader.read(bytes, path: "the body", isJSON: true)
        if let problem = read.diagnostics.diagnostics.first(where: { $0.severity == .error }) {
            throw Problem(.badRequest, problem.message)
        }
        guard case .mapping(let members)? = read.root?.content,
            case .mapping(let entries)? = members.first(where: { $0.key == "definition" })?.value.content
        else { throw Problem(.badRequest, "'definition': expected an object") }
        return entries.filter { $0.value.content != .null }
    }

    private static func id(
        _ body: DefinitionBody, _ kind: DefinitionKind, _ entries: [Node.Entry]
    ) throws(Problem) -> DefinitionID {
        if let text = body.id {
            guard let id = DefinitionID(text) else {
                throw Problem(
                    .badRequest, "'id': '\(text.prefix(80))' cannot be an id: \(DefinitionID.rule(brokenBy: text))")
            }
            return id
        }
        var slug = ""
        if case .scalar(let name)? = entries.first(where: { $0.key == "name" })?.value.content {
            slug = DefinitionSlug.of(name)
        }
        // A name such as a Hebrew one has no letter that an id may have. It gets a random id.
        let chance = String(UInt32.random(in: 0 ... .max), radix: 36)
        guard let id = DefinitionID(slug.isEmpty ? "\(kind.rawValue)-\(chance)" : slug) else {
            throw Problem(.badRequest, "'name': no id can be derived from it; give an 'id'")
        }
        return id
    }
}

/// What a payload says of its definition: the definition itself, of which nothing is copied, or texts, of a payload that was read,
/// made without a definition, or changed.
enum PayloadSubject: Sendable {
    case of(Definition)
    case texts(Box<Texts>)

    /// What is said of a definition.
    struct Texts: Sendable, Hashable {
        var id: String
        var kind: DefinitionKind
        var name: String
        var description: String?
        var labels: [String: String]
        var timezone: String
    }

    var id: String {
        switch self {
        case .of(let definition): definition.id.rawValue
        case .texts(let texts): texts.value.id
        }
    }
    var kind: DefinitionKind {
        switch self {
        case .of(let definition): definition.kind
        case .texts(let texts): texts.value.kind
        }
    }
    var name: String {
        switch self {
        case .of(let definition): definition.name
        case .texts(let texts): texts.value.name
        }
    }
    var description: String? {
        switch self {
        case .of(let definition): definition.description
        case .texts(let texts): texts.value.description
        }
    }
    var labels: [String: String] {
        switch self {
        case .of(let definition): definition.labels
        case .texts(let texts): texts.value.labels
        }
    }
    var timezone: String {
        switch self {
        case .of(let definition): definition.zone.name
        case .texts(let texts): texts.value.timezone
        }
    }

    /// All of it, to be changed.
    var texts: Texts {
        get {
            Texts(id: id, kind: kind, name: name, description: description, labels: labels, timezone: timezone)
        }
        set { self = .texts(Box(newValue)) }
    }
}

extension PayloadSubject: Hashable {
    static func == (left: Self, right: Self) -> Bool {
        if case .of(let one) = left, case .of(let other) = right, one.isSame(as: other) { return true }
        return left.texts == right.texts
    }

    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

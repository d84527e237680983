package import TminusCore

/// The JSON Schema (draft 2020-12) of a definition file, generated from the tables that decode it.
///
/// It describes the value that a YAML 1.2 parser produces from the file, as used by editors and check-jsonschema.
/// tminus takes the type of a scalar from its key, so such a parser may see a text as a number or a Boolean, and a date
/// as a string.
package struct DefinitionSchema {
    private let kinds: [any Sink.Type]

    /// Creates the schema for these kinds of sinks.
    package init(_ sinks: SinkRegistry) {
        kinds = sinks.kinds
    }

    /// The JSON text, with a final line break.
    package var text: String {
        var members: [(String, SchemaValue)] = [
            ("$schema", "https://json-schema.org/draft/2020-12/schema"),
            ("title", "tminus definition file"),
            ("$comment", "Written by 'tminus schema' from the tables that decode definition files."),
        ]
        members += mapping(DefinitionKeys.file, orNothing: true)
        members.append(("$defs", .object(shared + tables + sinks)))
        return SchemaValue.object(members).text() + "\n"
    }

    /// The schemas of scalars and actions.
    private var shared: [(String, SchemaValue)] {
        [
            ("text", .object([("type", Self.anyScalar)])),
            ("duration", Self.pattern(TextPatterns.duration, [("maxLength", .integer(256))])),
            ("lead", Self.pattern(TextPatterns.lead, [("maxLength", .integer(256))])),
            ("date-time", Self.pattern(TextPatterns.dateTime, [("maxLength", .integer(128))])),
            ("id", Self.pattern(TextPatterns.id, [])),
            (
                "action",
                .object([
                    (
                        "anyOf",
                        [
                            .object([
                                ("description", "the id of a sink, or a sink that needs no options"),
                                ("type", Self.anyScalar), ("pattern", .string(TextPatterns.id)),
                                ("not", .object([("enum", .array(optioned.map { .string($0) }))])),
                            ]),
                            Self.reference("sink"),
                        ]
                    )
                ])
            ),
        ]
    }

    /// The schemas of the tables of definitions.
    private var tables: [(String, SchemaValue)] {
        DefinitionKeys.tables.filter { $0.name != "file" }.map { name, table in
            let isOptional = ["defaults", "retry", "stopwatch"].contains(name)
            return (name, .object(mapping(table, orNothing: isOptional)))
        }
    }

    /// A sink has exactly one key that names its kind; that key selects the table of the other keys.
    private var sinks: [(String, SchemaValue)] {
        let names = kinds.map { $0.kind }
        let sink = SchemaValue.object([
            ("description", "a sink: the key of its kind, and its options beside it"),
            ("type", "object"),
            (
                "properties",
                .object(
                    kinds.map { ($0.kind, .object([("description", .string($0.options[$0.kind]?.summary ?? ""))])) })
            ),
            ("anyOf", .array(names.map { Self.required([$0]) })),
            (
                "allOf",
                .array(
                    names.map {
                        .object([("if", Self.required([$0])), ("then", Self.reference("\($0)-sink"))])
                    })
            ),
        ])
        return [("sink", sink)]
            + kinds.map { ("\($0.kind)-sink", .object(mapping(SinkPolicy.table(of: $0), orNothing: false))) }
    }

    /// The kinds that require options, so that their name alone is not a sink.
    private var optioned: [String] { kinds.filter { $0.options[$0.kind]?.isRequired == true }.map { $0.kind } }

    private func mapping(_ table: KeyTable, orNothing: Bool) -> [(String, SchemaValue)] {
        var members: [(String, SchemaValue)] = [("type", orNothing ? ["object", "null"] : "object")]
        members.append(("properties", .object(table.keys.map { ($0.name, property($0)) })))
        let required = table.keys.filter(\.isRequired).map { SchemaValue.string($0.name) }
        if !required.isEmpty { members.append(("required", .array(required))) }
        members.append(("additionalProperties", .boolean(false)))
        if !table.rules.isEmpty { members.append(("allOf", .array(table.rules.map(rule)))) }
        return members
    }

    private func rule(_ rule: KeyTable.Rule) -> SchemaValue {
        switch rule {
        case .exactlyOne(let names): return .object([("oneOf", .array(names.map { Self.required([$0]) }))])
        case .needs(let key, let other, let exception, _):
            var members: [(String, SchemaValue)] = [("required", [.string(other)])]
            if let exception {
                let value = SchemaValue.object([("not", .object([("const", .string(exception))]))])
                members.append(("properties", .object([(other, value)])))
            }
            let condition = SchemaValue.object(members)
            return .object([("dependentSchemas", .object([(key, condition)]))])
        }
    }

    private func property(_ key: KeyTable.Key) -> SchemaValue {
        var words = key.summary
        if let otherwise = key.otherwise { words += ". Default: \(otherwise)" }
        var members: [(String, SchemaValue)] = [("description", .string(words))]
        members += value(key.type)
        if let standard = key.standard, let value = SchemaValue(yaml: standard, as: key.type) {
            members.append(("default", value))
        }
        if let example = key.example, let value = SchemaValue(yaml: example, as: key.type) {
            members.append(("examples", [value]))
        }
        return .object(members)
    }

    private func value(_ type: KeyTable.ValueType) -> [(String, SchemaValue)] {
        switch type {
        case .text: [("$ref", "#/$defs/text")]
        case .nothing: [("type", ["null", "object"]), ("maxProperties", .integer(0))]
        case .boolean: [("enum", [.boolean(true), .boolean(false), "true", "false"])]
        case .integer(let range): Self.integer(range)
        case .duration: [("$ref", "#/$defs/duration")]
        case .lead: [("$ref", "#/$defs/lead")]
        case .dateTime: [("$ref", "#/$defs/date-time")]
        case .cron: [("type", "string"), ("pattern", .string(TextPatterns.cron))]
        case .recurrence: [("type", "string"), ("pattern", .string(TextPatterns.recurrence))]
        case .zone: [("type", "string"), ("pattern", .string(TextPatterns.zone)), ("maxLength", .integer(255))]
        case .hexColor: [("type", "string"), ("pattern", .string(TextPatterns.hexColor))]
        case .url: [("type", "string"), ("pattern", .string(TextPatterns.url))]
        case .line: [("type", Self.anyScalar), ("pattern", .string(TextPatterns.line))]
        case .filePath: [("type", Self.anyScalar), ("pattern", .string(TextPatterns.filePath))]
        case .directoryPath: [("type", Self.anyScalar), ("minLength", .integer(1))]
        case .secret: value(.either([.keyed("env", .line), .keyed("file", .filePath), .keyed("credential", .line)]))
        case .byteCount: [("type", "string"), ("pattern", .string(TextPatterns.byteCount))]
        case .rate: [("type", "string"), ("pattern", .string(TextPatterns.rate))]
        case .machineLabels:
            [
                ("type", "array"), ("minItems", .integer(1)),
                ("items", .object([("type", "string"), ("pattern", .string(TextPatterns.machineLabel))])),
            ]
        case .anything: []
        case .action: [("$ref", "#/$defs/action")]
        case .choice(let words): [("enum", .array(words.map { .string($0) }))]
        case .oneOrMore(let item): orList(of: item, [("minItems", .integer(1))])
        case .zeroOrMore(let item): orList(of: item, [])
        case .list(let item): [("type", "array"), ("items", .object(value(item)))]
        case .map(let item): [("type", ["object", "null"]), ("additionalProperties", .object(value(item)))]
        case .byID(let table):
            [
                ("type", ["object", "null"]),
                ("propertyNames", table == "sink" ? sinkID : Self.reference("id")),
                ("additionalProperties", Self.reference(table)),
            ]
        case .table(let table): [("$ref", .string("#/$defs/\(table)"))]
        case .keyed(let name, let item):
            [
                ("type", "object"), ("properties", .object([(name, .object(value(item)))])),
                ("required", [.string(name)]),
                ("additionalProperties", .boolean(false)),
            ]
        case .either(let forms): [("anyOf", .array(forms.map { .object(value($0)) }))]
        }
    }

    private func orList(of item: KeyTable.ValueType, _ bounds: [(String, SchemaValue)]) -> [(String, SchemaValue)] {
        let one: [SchemaValue] =
            if case .either(let forms) = item { forms.map { .object(value($0)) } } else { [.object(value(item))] }
        let list = SchemaValue.object([("type", "array"), ("items", .object(value(item)))] + bounds)
        return [("anyOf", .array(one + [list]))]
    }

    /// The id of a sink: any id except for the name of a kind.
    private var sinkID: SchemaValue {
        .object([
            ("$ref", "#/$defs/id"), ("not", .object([("enum", .array(kinds.map { .string($0.kind) }))])),
        ])
    }

    private static let anyScalar: SchemaValue = ["string", "number", "boolean"]

    private static func integer(_ range: ClosedRange<Int>) -> [(String, SchemaValue)] {
        var members: [(String, SchemaValue)] = [
            ("type", ["integer", "string"]), ("minimum", .integer(range.lowerBound)),
        ]
        // JavaScript has no exact integers beyond this.
        if range.upperBound < 1 << 53 { members.append(("maximum", .integer(range.upperBound))) }
        members.append(("pattern", .string(TextPatterns.integer(isPositive: range.lowerBound > 0))))
        return members
    }

    private static func pattern(_ pattern: String, _ more: [(String, SchemaValue)]) -> SchemaValue {
        .object([("type", "string"), ("pattern", .string(pattern))] + more)
    }

    private static func required(_ names: [String]) -> SchemaValue {
        .object([("required", .array(names.map { .string($0) }))])
    }

    private static func reference(_ name: String) -> SchemaValue {
        .object([("$ref", .string("#/$defs/\(name)"))])
    }
}

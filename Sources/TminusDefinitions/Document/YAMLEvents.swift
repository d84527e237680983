import CYaml
import TminusCore

/// libyaml's parser over one text: events with their begin and end.
///
/// Yams' composed nodes lose information that diagnostics need: aliases are replaced by their targets, ends are
/// missing, the first duplicate key stops the parser, and the input controls the depth of a recursion. Therefore the
/// events are used directly.
struct YAMLEvents: ~Copyable {
    /// One event.
    enum Event {
        /// Text, whether it is absent, and its properties.
        case scalar(String, isAbsent: Bool, Properties)
        /// `*name`
        case alias(String)
        /// The start of a list.
        case sequence(Properties, isFlow: Bool)
        /// The start of a mapping.
        case mapping(Properties, isFlow: Bool)
        /// The end of a list or mapping.
        case end
        /// The start of a document.
        case document
        /// The end of a document.
        case documentEnd
        /// The end of the text.
        case streamEnd
    }

    /// The properties before a value.
    struct Properties {
        /// The name after `&`.
        var anchor: String?
        /// The resolved tag.
        var tag: String?
    }

    /// Why the text cannot be parsed further.
    struct Failure: Error {
        /// The message if libyaml gets no memory, for which it has none.
        static let noMemory = "no memory"

        /// libyaml's message.
        var problem: String
        /// libyaml's description of the context.
        var context: String
        /// The offset of the problem in characters.
        var index: Int
        /// The offset of the start of the context in characters.
        var contextIndex: Int
    }

    // On the heap, because libyaml keeps the address of the parser inside it.
    private let parser: UnsafeMutablePointer<yaml_parser_t>

    /// Creates a parser of `text`, which must not move while the parser lives. Returns nil if out of memory.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            return nil
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// The next event with the character offsets of its begin and end.
    func next() throws(Failure) -> (event: Event, start: Int, end: Int) {
        while true {
            var raw = yaml_event_t()
            guard yaml_parser_parse(parser, &raw) == 1 else { throw failure }
            defer { yaml_event_delete(&raw) }
            if let event = Self.event(of: raw) {
                return (event, raw.start_mark.index, raw.end_mark.index)
            }
        }
    }

    private var failure: Failure {
        let state = parser.pointee
        // An error of libyaml's reader has no mark. The encoding was checked before, so only the offset in characters
        // is left.
        return Failure(
            problem: state.problem.map { String(cString: $0) } ?? Failure.noMemory,
            context: state.context.map { String(cString: $0) } ?? "",
            index: state.problem_mark.index, contextIndex: state.context_mark.index)
    }

    private static func event(of raw: yaml_event_t) -> Event? {
        switch raw.type {
        case YAML_SCALAR_EVENT:
            let scalar = raw.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            return .scalar(
                text,
                isAbsent: scalar.length == 0 && scalar.style == YAML_PLAIN_SCALAR_STYLE,
                Properties(anchor: string(scalar.anchor), tag: string(scalar.tag)))
        case YAML_ALIAS_EVENT: return .alias(string(raw.data.alias.anchor) ?? "")
        case YAML_SEQUENCE_START_EVENT:
            let start = raw.data.sequence_start
            return .sequence(
                Properties(anchor: string(start.anchor), tag: string(start.tag)),
                isFlow: start.style == YAML_FLOW_SEQUENCE_STYLE)
        case YAML_MAPPING_START_EVENT:
            let start = raw.data.mapping_start
            return .mapping(
                Properties(anchor: string(start.anchor), tag: string(start.tag)),
                isFlow: start.style == YAML_FLOW_MAPPING_STYLE)
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
        case YAML_DOCUMENT_START_EVENT: return .document
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        // After the end, libyaml returns empty events forever.
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return .streamEnd
        default: return nil
        }
    }

    private static func string(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
        pointer.map { String(cString: $0) }
    }
}

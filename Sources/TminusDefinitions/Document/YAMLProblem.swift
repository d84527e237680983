import TminusCore

/// Explains what libyaml could not parse, and what to write instead.
struct YAMLProblem {
    /// The explanation.
    let message: String
    /// The range of the mistake, which is often before the position where libyaml stopped.
    let range: SourceRange
    /// The start of the list or mapping that is not closed.
    let opening: SourceRange?

    /// Explains `failure`, which occurred in `source`.
    init(_ failure: YAMLEvents.Failure, in source: SourceText, _ lines: LineIndex) {
        let here = lines.mark(ofScalar: failure.index)
        let context = lines.mark(ofScalar: failure.contextIndex)
        let character = Self.character(at: failure.index, of: source)
        let (message, mark) = Self.explain(failure, here: here, context: context, character: character)
        self.message = message
        range = Self.character(at: mark)
        opening = failure.context.hasPrefix("while parsing a flow") ? Self.character(at: context) : nil
    }

    private static func character(at mark: SourceMark) -> SourceRange {
        SourceRange(start: mark, end: SourceMark(line: mark.line, column: mark.column + 1))
    }

    private static func explain(
        _ failure: YAMLEvents.Failure, here: SourceMark, context: SourceMark, character: Character?
    ) -> (String, SourceMark) {
        let tab = "a tab is used for indentation; YAML takes spaces only"
        switch failure.problem {
        case YAMLEvents.Failure.noMemory: return ("not enough memory to parse the file", here)
        case "found character that cannot start any token":
            if character == "\t" { return (tab, here) }
            return ("text cannot begin with '\(character ?? " ")', put it in quotes", here)
        case "found a tab character where an indentation space is expected",
            "found a tab character that violates indentation":
            return (tab, here)
        case "could not find expected ':'":
            return ("this should be 'key: value', with a space behind the ':'", context)
        case "mapping values are not allowed in this context":
            return (
                "a ':' that makes a key is not expected here; text with ': ' inside needs quotes, and keys of one mapping "
                    + "the same indentation", here
            )
        case "block sequence entries are not allowed in this context":
            return ("a '-' that makes a list item is not expected here; begin the list on the next line", here)
        case "did not find expected key":
            return (
                failure.context == "while parsing a block mapping"
                    ? "a key of the mapping that begins in line \(context.line) is expected here; "
                        + "check the indentation and the quotes" : "a key is expected here", here
            )
        case "did not find expected '-' indicator":
            return (
                "an item '- ...' of the list that begins in line \(context.line) is expected here; check the indentation",
                here
            )
        case "did not find expected ',' or ']'":
            return ("the list that begins in line \(context.line) with '[' needs a ',' or its ']' here", here)
        case "did not find expected ',' or '}'":
            return ("the mapping that begins in line \(context.line) with '{' needs a ',' or its '}' here", here)
        case "found unexpected end of stream", "found unexpected document indicator":
            return ("the quote that opens here is never closed", context)
        case "found unknown escape character", "did not find expected hexdecimal number",
            "found invalid Unicode character escape code":
            return (
                "not an escape sequence of YAML; in \"double quotes\" write '\\\\' for a backslash, or use 'single quotes'",
                here
            )
        case "did not find expected node content":
            return ("a value is expected here", here)
        case "did not find expected <document start>":
            return ("nothing may follow here; check the indentation and the brackets before", here)
        case "found incompatible YAML document", "found unknown directive name", "found duplicate %YAML directive":
            return ("directives such as '%YAML' are not supported, remove the line", here)
        case "found undefined tag handle":
            return ("tags are not supported; text that begins with '!' needs quotes", here)
        case "did not find expected alphabetic or numeric character":
            return (
                "text cannot begin with '\(failure.context.hasSuffix("alias") ? "*" : "&")', put it in quotes", context
            )
        case "Maximum nesting level reached, set with yaml_set_max_nest_level())":
            // libyaml reads ahead, so it may stop before the reader has seen its own limit.
            return (DocumentReader.tooDeep, here)
        default:
            let doing = failure.context.isEmpty ? "" : " (\(failure.context))"
            return ("not valid YAML: \(failure.problem)\(doing)", here)
        }
    }

    private static func character(at index: Int, of source: SourceText) -> Character? {
        let scalars = source.text.unicodeScalars
        guard let place = scalars.index(scalars.startIndex, offsetBy: index, limitedBy: scalars.endIndex),
            place < scalars.endIndex
        else { return nil }
        return Character(scalars[place])
    }
}

/// A line of text made of styled spans.
package struct Line: Sendable, Hashable {
    /// A run of text with one look.
    package struct Span: Sendable, Hashable {
        /// The text.
        package var text: String
        /// Its look.
        package var look: Look
    }

    /// The spans from left to right; none is empty.
    package private(set) var spans: [Span] = []

    /// Creates an empty line.
    package init() {}

    /// Creates a line of one span.
    package init(_ text: String, _ look: Look = .plain) {
        append(text, look)
    }

    /// Appends a span, unless the text is empty.
    package mutating func append(_ text: String, _ look: Look = .plain) {
        if !text.isEmpty { spans.append(Span(text: text, look: look)) }
    }

    /// Appends another line.
    package mutating func append(_ line: Line) { spans += line.spans }

    /// The width in columns.
    package var width: Int { spans.reduce(0) { $0 + DisplayWidth.of($1.text) } }

    /// Returns the line padded with spaces to `width` columns. A wider line is unchanged.
    package func filled(to width: Int) -> Line {
        var line = self
        line.append(String(repeating: " ", count: max(0, width - self.width)))
        return line
    }

    /// Returns the line if it fits into `width` columns, else the part that fits followed by `mark`.
    package func cut(to width: Int, mark: String) -> Line {
        guard self.width > width else { return self }
        var (line, room) = (Line(), width)
        for span in spans {
            let columns = DisplayWidth.of(span.text)
            guard columns < room else {
                // The extra space makes the span too wide even if it fits exactly, so it gets the mark.
                line.append(Fitting.cut(span.text + " ", to: room, mark: mark), span.look)
                break
            }
            line.append(span.text, span.look)
            room -= columns
        }
        return line
    }

    /// The line in reverse video.
    package var reversed: Line {
        var line = self
        for index in line.spans.indices { line.spans[index].look.isReversed = true }
        return line
    }

    /// Renders the line with escape sequences and without trailing spaces.
    package func text(_ palette: Palette) -> String {
        var spans = spans
        while var last = spans.popLast() {
            let spaces = last.text.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
            if spaces > 0 { last.text = String(Substring(last.text.utf8.dropLast(spaces))) }
            guard last.text.isEmpty else {
                spans.append(last)
                break
            }
        }
        var (text, current) = ("", Look.plain)
        for span in spans {
            let look = palette.shown(span.look)
            if look != current {
                text += look == .plain ? Palette.reset : palette.sequence(look)
                current = look
            }
            text += span.text
        }
        return current == .plain ? text : text + Palette.reset
    }
}

/// A line of text in pieces that look different.
package struct Line: Sendable, Hashable {
    /// A piece of one look.
    package struct Span: Sendable, Hashable {
        package var text: String
        package var look: Look
    }

    package private(set) var spans: [Span] = []

    /// An empty line.
    package init() {}

    /// A line of one piece.
    package init(_ text: String, _ look: Look = .plain) {
        append(text, look)
    }

    /// Adds a piece at the end.
    package mutating func append(_ text: String, _ look: Look = .plain) {
        if !text.isEmpty { spans.append(Span(text: text, look: look)) }
    }

    /// Adds another line at the end.
    package mutating func append(_ line: Line) { spans += line.spans }

    /// The columns it takes.
    package var width: Int { spans.reduce(0) { $0 + DisplayWidth.of($1.text) } }

    /// The line with spaces up to a width; a wider one stays as it is.
    package func filled(to width: Int) -> Line {
        var line = self
        line.append(String(repeating: " ", count: max(0, width - self.width)))
        return line
    }

    /// The line, or as much of it as fits.
    package func cut(to width: Int, mark: String) -> Line {
        guard self.width > width else { return self }
        var (line, room) = (Line(), width)
        for span in spans {
            let columns = DisplayWidth.of(span.text)
            guard columns < room else {
                // One column more than there is, so that a piece that just fits gets its mark as well.
                line.append(Fitting.cut(span.text + " ", to: room, mark: mark), span.look)
                break
            }
            line.append(span.text, span.look)
            room -= columns
        }
        return line
    }

    /// The same pieces, all of them reversed.
    package var reversed: Line {
        var line = self
        for index in line.spans.indices { line.spans[index].look.isReversed = true }
        return line
    }

    /// The text with the sequences for its looks, without spaces at its end.
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

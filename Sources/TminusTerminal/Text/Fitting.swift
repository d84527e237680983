/// Cuts and pads text to a number of columns.
package enum Fitting {
    /// Returns the text if it fits into `width` columns, else the part that fits followed by `mark`.
    package static func cut(_ text: String, to width: Int, mark: String = "…") -> String {
        if text.utf8.count <= width || DisplayWidth.of(text) <= width { return text }
        let room = width - DisplayWidth.of(mark)
        guard room >= 0 else { return String(repeating: ".", count: max(0, width)) }
        var (result, used) = ("", 0)
        for character in text {
            let columns = DisplayWidth.of(character)
            guard used + columns <= room else { break }
            result.append(character)
            used += columns
        }
        return result + mark
    }

    /// Returns the text cut or padded with spaces to exactly `width` columns.
    package static func pad(_ text: String, to width: Int, mark: String = "…", right: Bool = false) -> String {
        let text = cut(text, to: width, mark: mark)
        let space = String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
        return right ? space + text : text + space
    }
}

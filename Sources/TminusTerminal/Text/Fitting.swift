/// Texts cut and filled to a number of columns.
package enum Fitting {
    /// The text if it fits, or as much as fits before `mark`; never wider than `width`.
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

    /// Cut, and filled with spaces, to exactly that width.
    package static func pad(_ text: String, to width: Int, mark: String = "…", right: Bool = false) -> String {
        let text = cut(text, to: width, mark: mark)
        let space = String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
        return right ? space + text : text + space
    }
}

/// Ids from names.
package enum DefinitionSlug {
    /// Letters of Latin-1 and some more as ASCII has them.
    private static let plain: [Character: String] = {
        let rows: [(String, String)] = [
            ("àáâãåāă", "a"), ("çćč", "c"), ("ďđ", "d"), ("èéêëēėęě", "e"), ("ìíîïīį", "i"), ("łľ", "l"), ("ñńň", "n"),
            ("òóôõøō", "o"), ("řŕ", "r"), ("šśş", "s"), ("ťţ", "t"), ("ùúûūůű", "u"), ("ýÿ", "y"), ("žźż", "z"),
            ("äæ", "ae"), ("öœ", "oe"), ("ü", "ue"), ("ß", "ss"),
        ]
        return Dictionary(
            rows.flatMap { row in row.0.map { ($0, row.1) } }, uniquingKeysWith: { first, _ in first })
    }()

    /// `Product launch!` becomes `product-launch`; empty if the name has no letter or digit that an id may have.
    package static func of(_ name: String) -> String {
        var words: [String] = [""]
        for character in name.lowercased() {
            if let text = plain[character] {
                words[words.count - 1] += text
            } else if character.isASCII,
                character.isLetter || character.isNumber || character == "_" || character == "."
            {
                words[words.count - 1].append(character)
            } else if words.last?.isEmpty == false, character != "'" {
                words.append("")
            }
        }
        let id = words.filter { !$0.isEmpty }.joined(separator: "-").prefix(64)
        return id.contains { $0.isLetter || $0.isNumber } ? String(id) : ""
    }
}

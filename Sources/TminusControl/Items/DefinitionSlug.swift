/// Derives ids from names.
package enum DefinitionSlug {
    /// ASCII spellings of the letters of Latin-1 and some others.
    private static let plain: [Character: String] = {
        let rows: [(String, String)] = [
            ("àáâãåāă", "a"), ("çćč", "c"), ("ďđ", "d"), ("èéêëēėęě", "e"), ("ìíîïīį", "i"), ("łľ", "l"), ("ñńň", "n"),
            ("òóôõøō", "o"), ("řŕ", "r"), ("šśş", "s"), ("ťţ", "t"), ("ùúûūůű", "u"), ("ýÿ", "y"), ("žźż", "z"),
            ("äæ", "ae"), ("öœ", "oe"), ("ü", "ue"), ("ß", "ss"),
        ]
        return Dictionary(
            rows.flatMap { row in row.0.map { ($0, row.1) } }, uniquingKeysWith: { first, _ in first })
    }()

    /// Turns `Product launch!` into `product-launch`. Returns an empty text if no letter or digit of the name can be
    /// part of an id.
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

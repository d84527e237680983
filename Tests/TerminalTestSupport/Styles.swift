package import TminusTerminal

/// The styles that terminals come to.
package enum Styles {
    package static let plain = Style()
    package static let ascii = Style(drawsASCII: true, hasUnicode: false)
    package static let dark = Style(colors: .sixteen, background: .dark, hasAttributes: true)
    package static let light = Style(colors: .sixteen, background: .light, hasAttributes: true)
    package static let direct = Style(colors: .direct, background: .dark, hasAttributes: true)
    package static let indexed = Style(colors: .indexed, background: .light, hasAttributes: true)
    package static let monochrome = Style(colors: .none, hasAttributes: true)
    package static let named: [(name: String, style: Style)] = [
        ("plain", plain), ("ascii", ascii), ("dark", dark), ("light", light), ("direct", direct),
        ("indexed", indexed), ("monochrome", monochrome),
    ]
}

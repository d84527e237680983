/// The escape sequences for looks (ECMA-48, SGR).
package struct Palette: Sendable {
    private let style: Style

    /// Creates the palette for a style.
    package init(_ style: Style) {
        self.style = style
    }

    /// The sequence that resets every look.
    package static let reset = "\u{1B}[0m"

    /// Reduces a look to what this terminal can show, so looks that it cannot distinguish become equal.
    package func shown(_ look: Look) -> Look {
        var look = look
        if style.colors == .none { look.ink = .plain }
        guard style.colors == .none, !style.hasAttributes else { return look }
        return Look()
    }

    /// Returns the sequence that sets a look regardless of the previous one; empty if the style has no looks.
    package func sequence(_ look: Look) -> String {
        guard style.colors != .none || style.hasAttributes else { return "" }
        var codes = "0"
        if look.isBold { codes += ";1" }
        if look.isFaint { codes += ";2" }
        if look.isReversed { codes += ";7" }
        if let color = code(look.ink) { codes += ";" + color }
        return "\u{1B}[\(codes)m"
    }

    private func code(_ ink: Ink) -> String? {
        let shade: InkName.Shade
        switch ink {
        case .plain: return nil
        case .named(let name): shade = style.background == .dark ? name.shades.dark : name.shades.light
        case .rgb(let red, let green, let blue):
            shade = .init(Self.nearestOfSixteen(red, green, blue), red, green, blue)
        }
        switch style.colors {
        case .none: return nil
        case .sixteen: return String(shade.code)
        case .indexed: return "38;5;\(Self.cubeIndex(shade.red, shade.green, shade.blue))"
        case .direct: return "38;2;\(shade.red);\(shade.green);\(shade.blue)"
        }
    }

    /// The index of the nearest colour in the 6x6x6 cube, which 256-colour terminals have from index 16.
    private static func cubeIndex(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
        let levels = [0, 95, 135, 175, 215, 255]
        func nearest(_ part: UInt8) -> Int {
            levels.indices.min { abs(levels[$0] - Int(part)) < abs(levels[$1] - Int(part)) } ?? 0
        }
        return 16 + 36 * nearest(red) + 6 * nearest(green) + nearest(blue)
    }

    /// Picks one of the 16 colours by the strong components. They are the corners of the RGB cube, dim and bright.
    private static func nearestOfSixteen(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
        let strongest = max(red, green, blue)
        guard strongest >= 64 else { return 90 }
        func bit(_ part: UInt8, _ value: Int) -> Int { Int(part) * 2 > Int(strongest) ? value : 0 }
        return (strongest >= 192 ? 90 : 30) + bit(red, 1) + bit(green, 2) + bit(blue, 4)
    }
}

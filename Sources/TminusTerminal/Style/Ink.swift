/// A text colour.
package enum Ink: Sendable, Hashable {
    /// The terminal's own text colour.
    case plain
    /// A named colour, in a shade that is readable on the background.
    case named(InkName)
    /// An exact colour; each component is 0 to 255.
    case rgb(UInt8, UInt8, UInt8)

    /// Parses the value of `color` in a definition: a name or `#rrggbb`; nil for anything else.
    package init?(_ text: String) {
        if let name = InkName(rawValue: text == "grey" ? "gray" : text) {
            self = .named(name)
        } else if text.utf8.count == 7, text.hasPrefix("#"), let number = UInt32(text.dropFirst(), radix: 16) {
            self = .rgb(UInt8(number >> 16), UInt8(number >> 8 & 255), UInt8(number & 255))
        } else {
            return nil
        }
    }
}

/// The colour names that definitions may use.
package enum InkName: String, Sendable, Hashable, CaseIterable {
    case black, red, green, yellow, blue, magenta, cyan, white, gray, orange, purple, pink, brown

    /// The shades for a dark and for a light background. Each is one of the 16 ECMA-48 and aixterm colours (30 to 37
    /// and 90 to 97) and an RGB value.
    var shades: (dark: Shade, light: Shade) {
        switch self {
        // A colour that would be invisible on the background is gray there.
        case .black: (Shade(90, 138, 138, 138), Shade(30, 0, 0, 0))
        case .red: (Shade(91, 255, 95, 95), Shade(31, 175, 0, 0))
        case .green: (Shade(92, 95, 215, 95), Shade(32, 0, 115, 0))
        case .yellow: (Shade(93, 255, 215, 95), Shade(33, 135, 95, 0))
        case .blue: (Shade(94, 95, 175, 255), Shade(34, 0, 0, 215))
        case .magenta: (Shade(95, 255, 95, 255), Shade(35, 175, 0, 175))
        case .cyan: (Shade(96, 95, 215, 215), Shade(36, 0, 115, 135))
        case .white: (Shade(97, 255, 255, 255), Shade(90, 88, 88, 88))
        case .gray: (Shade(90, 138, 138, 138), Shade(90, 108, 108, 108))
        case .orange: (Shade(33, 255, 175, 0), Shade(33, 175, 95, 0))
        case .purple: (Shade(35, 175, 135, 255), Shade(35, 95, 0, 175))
        case .pink: (Shade(95, 255, 175, 215), Shade(35, 215, 0, 135))
        case .brown: (Shade(33, 175, 135, 95), Shade(33, 135, 75, 0))
        }
    }

    /// One colour, as an SGR code and as RGB.
    struct Shade {
        var code: Int
        var red: UInt8
        var green: UInt8
        var blue: UInt8

        init(_ code: Int, _ red: UInt8, _ green: UInt8, _ blue: UInt8) {
            self.code = code
            self.red = red
            self.green = green
            self.blue = blue
        }
    }
}

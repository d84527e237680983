/// Decodes keys from the bytes that a terminal sends (ECMA-48 and the xterm control sequences). A sequence may arrive
/// in pieces.
package struct KeyDecoder: Sendable {
    private enum State: Sendable, Hashable {
        case ground
        case escape
        /// After `ESC [`, with the bytes so far.
        case control([UInt8])
        /// After `ESC O`.
        case shift
        /// Inside an unrequested string from the terminal, which ends with BEL or `ESC \`.
        case string(escaped: Bool)
        /// Inside pasted text, which is dropped because it would act as keys. Holds its last bytes, to find the end.
        case paste([UInt8])
        /// Inside a UTF-8 sequence of `length` bytes.
        case letter([UInt8], length: Int)
    }

    private var state = State.ground
    private static let longestSequence = 32
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    /// Creates a decoder for the start of a stream.
    package init() {}

    /// Whether an `ESC` may still begin a sequence. If nothing follows within some milliseconds, it was the Esc key:
    /// call ``giveUp()``.
    package var isWaiting: Bool { state == .escape }

    /// Ends the wait after an `ESC` and returns the Esc key.
    package mutating func giveUp() -> [Key] {
        guard isWaiting else { return [] }
        state = .ground
        return [.escape]
    }

    /// Decodes more bytes and returns the keys they complete.
    package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        bytes.compactMap { take($0) }
    }

    private mutating func take(_ byte: UInt8) -> Key? {
        switch state {
        case .ground: return takeGround(byte)
        case .escape: return takeEscape(byte)
        case .control(let sequence): return takeControl(sequence, byte)
        case .shift:
            state = .ground
            return byte == UInt8(ascii: "M") ? .enter : Self.cursorKey(byte)
        case .string(let escaped):
            state = byte == 0x07 || escaped && byte == UInt8(ascii: "\\") ? .ground : .string(escaped: byte == 0x1B)
            return nil
        case .paste(let last):
            let last = Array((last + [byte]).suffix(Self.pasteEnd.count))
            state = last == Self.pasteEnd ? .ground : .paste(last)
            return nil
        case .letter(let begun, let length):
            guard byte & 0xC0 == 0x80 else {
                state = .ground
                return takeGround(byte)
            }
            guard begun.count + 1 == length else {
                state = .letter(begun + [byte], length: length)
                return nil
            }
            state = .ground
            return String(validating: begun + [byte], as: UTF8.self)?.first.map(Key.character) ?? .unknown
        }
    }

    private mutating func takeGround(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x1B: state = .escape
        case 0x0D, 0x0A: return .enter
        case 0x09: return .tab
        case 0x03, 0x04, 0x0C, 0x20..<0x7F: return .character(Character(Unicode.Scalar(byte)))
        case 0xC2..<0xE0: state = .letter([byte], length: 2)
        case 0xE0..<0xF0: state = .letter([byte], length: 3)
        case 0xF0..<0xF5: state = .letter([byte], length: 4)
        default: return .unknown
        }
        return nil
    }

    private mutating func takeEscape(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x1B: return .escape
        case UInt8(ascii: "["): state = .control([])
        case UInt8(ascii: "O"): state = .shift
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            state = .string(escaped: false)
        default:
            // A key with Alt.
            state = .ground
            return .unknown
        }
        return nil
    }

    private mutating func takeControl(_ sequence: [UInt8], _ byte: UInt8) -> Key? {
        switch byte {
        case 0x20...0x3F:
            state = sequence.count < Self.longestSequence ? .control(sequence + [byte]) : .control(sequence)
            return nil
        case 0x1B:
            // A new sequence cuts this one off.
            state = .escape
            return .unknown
        case UInt8(ascii: "~"):
            let number = Int(String(decoding: sequence.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self))
            state = number == 200 ? .paste([]) : .ground
            return number == 200 ? nil : Self.editingKey(number)
        default:
            state = .ground
            return Self.cursorKey(byte)
        }
    }

    private static func cursorKey(_ byte: UInt8) -> Key {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "Z"): .backTab
        default: .unknown
        }
    }

    private static func editingKey(_ number: Int?) -> Key {
        switch number {
        case 1, 7: .home
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        default: .unknown
        }
    }
}

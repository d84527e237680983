/// An immutable value behind one reference, for values that are large and copied often.
final class Box<Value: Sendable & Hashable>: Sendable, Hashable {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func == (left: Box, right: Box) -> Bool { left === right || left.value == right.value }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

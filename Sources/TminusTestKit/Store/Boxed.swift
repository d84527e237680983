/// A large value behind one reference: a dictionary that grows moves the reference only.
indirect enum Boxed<Value: Sendable>: Sendable {
    /// The value.
    case of(Value)

    /// The value. Changing it makes another box, so copies keep theirs.
    var value: Value {
        get {
            switch self {
            case .of(let value): value
            }
        }
        set { self = .of(newValue) }
    }
}

import FoundationEssentials
import TminusCore

extension SinkSpec {
    /// Decodes a spec that a commit wrote; nil if it is damaged.
    init?(stored text: String) {
        guard let spec = try? JSONDecoder().decode(SinkSpec.self, from: Data(text.utf8)) else { return nil }
        self = spec
    }
}

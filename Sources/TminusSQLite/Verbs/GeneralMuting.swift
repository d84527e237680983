import TminusCore
import TminusStorage

extension Transaction {
    /// The general mute; nil if there is none, or it cannot be read.
    func generalMute() throws -> Overrides.Mute? {
        (try? OverridesText.decode(try text("SELECT mute FROM general_mute")))?.mute
    }

    /// Writes a change of the general mute.
    func write(_ mute: GeneralMute) throws {
        switch mute {
        case .over: try run("DELETE FROM general_mute")
        case .until(let mute):
            try run(
                "INSERT OR REPLACE INTO general_mute (id, mute) VALUES (1, ?)",
                try OverridesText.encode(Overrides(mute: mute)))
        }
    }
}

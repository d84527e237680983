package import TminusCore

extension Transaction {
    /// The general mute; nil if there is none, or it cannot be read.
    package func generalMute() throws -> Overrides.Mute? {
        (try? OverridesText.decode(try text("SELECT mute FROM general_mute")))?.mute
    }

    /// Writes a change of the general mute.
    func write(_ mute: GeneralMute) throws {
        switch mute {
        case .over: try post("DELETE FROM general_mute")
        case .until(let mute):
            try post(
                "INSERT INTO general_mute (id, mute) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET mute = excluded.mute",
                try OverridesText.encode(Overrides(mute: mute)))
        }
    }
}

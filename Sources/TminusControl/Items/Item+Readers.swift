internal import TminusCore

extension Item {
    /// What somebody with level `read` may see: without paths, the output of what was run, and the reasons that people gave.
    package var forReaders: Item {
        var item = self
        (item.file, item.line) = (nil, nil)
        item.lastOutcome?.message = nil
        item.overrides.mute?.origin.note = nil
        item.overrides.skip?.origin.note = nil
        item.overrides.snooze?.origin.note = nil
        return item
    }
}

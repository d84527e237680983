extension EngineState {
    /// Counts a step, and how late it is. A clock that was set since tells nothing of that.
    mutating func count(_ reading: ClockReading) {
        figures.steps &+= 1
        guard let at = armed.at, at <= reading.now, armed.setBy == reading.setBy else { return }
        figures.lag.observe(at.duration(to: reading.now))
    }

    /// What was counted so far, with how things stand.
    var figuresNow: EngineFigures {
        var now = figures
        now.dispatch = dispatch.figures
        now.running = dispatch.runningBySink
        now.definitions = feed.schedule.counts
        now.mutedUntil = feed.schedule.mute?.until
        now.nextDue = feed.schedule.nextDue
        return now
    }
}

import Testing

@Suite("Editing while the daemon runs")
struct LiveEditingTests {
    @Test("a new file takes effect, and its timer never expires early")
    func newFile() async throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let saved = ContinuousClock.now
        try scratch.save("new.yaml", "timers: { t: { duration: 2s } }\n")
        let line = try await daemon.output.first("the expiry of t") { $0.contains(" t: ") }
        #expect(line.arrival - saved >= .seconds(2))
        #expect(line.text.hasSuffix(" t: t has ended"))
    }

    @Test("a new name leaves a running timer's deadline unchanged to the nanosecond")
    func rename() async throws {
        let scratch = try Scratch()
        try scratch.save("timers.yaml", "timers: { hour: { name: Before, duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let sql = "SELECT start, deadline, phase FROM schedule WHERE definition = 'hour'"
        try await scratch.query("SELECT count(*) FROM schedule", yields: ["1"])
        let before = try await scratch.query(sql)

        // The second timer proves that the edit is in force.
        try scratch.save(
            "timers.yaml", "timers:\n  probe: { duration: 100ms }\n  hour: { duration: 60m, name: After }\n")
        try await daemon.output.first("the expiry of probe") { $0.contains(" probe: ") }
        #expect(try await scratch.query(sql) == before)
        #expect(before.first?.hasSuffix("|armed") == true)
    }

    @Test("deleting a file cancels its definitions and logs it")
    func delete() async throws {
        let scratch = try Scratch()
        try scratch.save("gone.yaml", "timers: { gone: { duration: 1h } }\n")
        try scratch.save("kept.yaml", "timers: { kept: { duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try scratch.remove("gone.yaml")
        let line = try await daemon.errors.first("a cancellation") { $0.contains("cancelled") }
        #expect(line.text.contains("definition.id=gone"))
        let removed = try await scratch.query("SELECT definition FROM schedule WHERE removed IS NOT NULL")
        #expect(removed == ["gone"])
    }

    @Test(
        "a typing error is shown with its line, everything keeps running, and the fix takes effect")
    func typingError() async throws {
        let scratch = try Scratch()
        for id in ["a", "b", "c"] {
            try scratch.save("\(id).yaml", "timers:\n  \(id): { duration: 1s, repeat: immediately }\n")
        }
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try scratch.save("b.yaml", "timers:\n  b: { duratoin: 1s, repeat: immediately, name: Fixed }\n")
        let place = "\(scratch.config)/b.yaml:2:8: error: unknown key 'duratoin', did you mean 'duration'?"
        let error = try await daemon.errors.first("the error") { $0 == place }
        try await daemon.errors.first("the caret line") { $0 == "       ^~~~~~~~" }
        let shown = daemon.errors.texts.drop { $0 != place }.prefix(3)
        #expect(
            Array(shown) == [
                place, "  b: { duratoin: 1s, repeat: immediately, name: Fixed }", "       ^~~~~~~~",
            ])
        for id in ["a", "b", "c"] {
            let line = try await daemon.output.first("an expiry of \(id)", since: error.arrival) {
                $0.contains(" \(id): ")
            }
            #expect(line.text.hasSuffix(" \(id): \(id) has ended"))
        }
        try scratch.save("b.yaml", "timers:\n  b: { duration: 1s, repeat: immediately, name: Fixed }\n")
        try await daemon.output.first("the fixed b") { $0.hasSuffix(" b: Fixed has ended") }
        try await daemon.errors.first("the all-clear") { $0.contains("no file has errors any more") }
    }
}

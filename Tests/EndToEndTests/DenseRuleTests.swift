import Testing

@Suite("Rules that ask for much work")
struct DenseRuleTests {
    @Test("too many lead times, and too many occurrences within one, are errors at their place")
    func refused() async throws {
        let scratch = try Scratch()
        let leads = (1...1_001).map { "\($0)m" }.joined(separator: ", ")
        try scratch.save(
            "a.yaml",
            """
            events:
              dense: { every: 1s, start: 2026-01-01, remind: [10 years, 1 hour] }
              fine: { every: 1s, start: 2026-01-01, remind: 10 minutes }
            timers:
              many: { duration: 1h, remind: [\(leads)] }

            """)
        let check = try Program(Program.tminus, ["check", scratch.config])
        #expect(try await check.end() == 65)
        let errors = check.errors.texts.filter { $0.contains(": error: ") }
        try #require(errors.count == 2)
        #expect(errors[0].hasPrefix("\(scratch.config)/a.yaml:2:51: error: the event occurs more than a million times"))
        #expect(errors[1].contains(": error: 'remind' has at most 1000 lead times, here are 1001"))
        let warnings = check.errors.texts.filter { $0.contains(": warning: the event occurs more than 1000 times") }
        #expect(warnings.count == 1)
        #expect(warnings[0].contains("a.yaml:2:61:"))
    }

    @Test("four dense rules with long leads: others fire, an edit takes effect, and SIGTERM ends the daemon")
    func responsive() async throws {
        let scratch = try Scratch()
        let dense = (0..<4).map {
            "  d\($0): { cron: '* * * * * *', remind: [1 day, 2 days, 3 days], on-expiry: [] }\n"
        }
        try scratch.save("dense.yaml", "defaults: { on-reminder: [] }\nevents:\n" + dense.joined())
        try scratch.save("good.yaml", "timers: { good: { duration: 1s, repeat: immediately } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.output.first("an expiry while the leads are counted") { $0.contains(" good: ") }
        try scratch.save("new.yaml", "timers: { new: { duration: 100ms } }\n")
        try await daemon.output.first("an edit while the leads are counted") { $0.contains(" new: ") }
        try await scratch.query(
            "SELECT count(*) FROM omission WHERE reason = 'past-when-defined' AND count = 86400", yields: ["4"])
        #expect(try await daemon.stop() == 0)
    }
}

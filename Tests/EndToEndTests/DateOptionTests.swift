import Foundation
import Testing

@Suite("Dates on the command line")
struct DateOptionTests {
    private func tminus(
        _ arguments: [String], zone: String = "Europe/Berlin"
    ) async throws -> (status: CInt, output: [String], errors: [String]) {
        let program = try Program(
            Program.tminus, arguments, environment: Program.environment.merging(["TZ": zone]) { $1 })
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    @Test("--tz and --timezone are the same option", arguments: ["--tz", "--timezone"])
    func spellings(option: String) async throws {
        let scratch = try Scratch()
        let next = try await tminus(["next", "--at", "2099-12-01 09:00", option, "Asia/Tokyo", "-n", "1"])
        #expect(next.status == 0 && next.output.contains { $0.contains("2099-12-01T00:00:00Z") }, "\(next)")
        let added = try await tminus(
            ["add", "event", "e", "2099-12-01", "9:00", option, "Asia/Tokyo", "--config", scratch.config])
        #expect(added.status == 0 && added.output.first?.contains("09:00 Asia/Tokyo") == true, "\(added)")
        let simulated = try await tminus([
            "simulate", "--config", scratch.config, "--from", "2099-11-30", "--to", "2099-12-02", option, "Asia/Tokyo",
        ])
        #expect(simulated.status == 0)
        #expect(simulated.errors.first == "tminus: --from: Mon 30 November 2099, 00:00 Asia/Tokyo")
    }

    @Test("plain dates are taken everywhere, and what they mean is said with the zone")
    func plainDates() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tick: { duration: 12h, repeat: immediately } }\n")
        let next = try await tminus([
            "next", "--cron", "0 9 * * *", "--from", "tomorrow noon", "--until", "dec 31 2099", "-n", "1",
        ])
        #expect(next.status == 0)
        #expect(
            next.errors.contains { $0.hasPrefix("tminus: --from: ") && $0.hasSuffix(", 12:00 Europe/Berlin") },
            "\(next)")
        #expect(next.errors.contains("tminus: --until: Thu 31 December 2099, the whole day, Europe/Berlin"))
        let file = try await tminus(["next", scratch.config, "--from", "tomorrow noon", "-n", "1"])
        #expect(file.status == 0 && file.errors.first?.hasSuffix(", 12:00 Europe/Berlin") == true)
        let simulated = try await tminus([
            "simulate", "--config", scratch.config, "--from", "today", "--to", "tomorrow noon",
        ])
        #expect(simulated.status == 0 && simulated.errors.count == 2 && !simulated.output.isEmpty, "\(simulated)")
        let down = try await tminus([
            "simulate", "--config", scratch.config, "--from", "2099-12-01", "--to", "2099-12-02",
            "--down", "dec 1 2099 9:00/dec 1 2099 noon",
        ])
        #expect(down.status == 0 && down.errors.contains { $0.hasPrefix("tminus: --down: ") }, "\(down)")
        for (option, words, meaning) in [
            ("--at", "dec 31 2099 9:00", "Thu 31 December 2099, 09:00"),
            ("--start", "dec 31 2099 9:00", "Thu 31 December 2099, 09:00"),
            ("--except", "jan 1 2099", "Thu 1 January 2099, the whole day,"),
        ] {
            let rule = option == "--at" ? [] : ["--every", "1 day"]
            let result = try await tminus(["next"] + rule + [option, words, "-n", "1"])
            #expect(result.status == 0 && !result.output.isEmpty, "\(result)")
            #expect(result.errors.contains("tminus: \(option): \(meaning) Europe/Berlin"), "\(result)")
        }
        let offset = try await tminus(["next", scratch.config, "--from", "2099-12-01T09:00Z", "-n", "1"])
        #expect(offset.errors == [], "an offset leaves no doubt")
        let wrong = try await tminus(["simulate", "--config", scratch.config, "--from", "tomorow", "--to", "today"])
        #expect(wrong.status == 64 && wrong.errors.first?.contains("did you mean 'tomorrow'?") == true, "\(wrong)")
    }

    @Test("mute --until and why are in the zone of the definition, and say so")
    func definitionZone() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "a.yaml",
            """
            events: { e: { at: 2099-12-01 09:00, timezone: America/New_York, on-expiry: [] } }

            """)
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let state = ["--state", scratch.state]
        let own = try await tminus(["mute", "e", "--until", "tomorrow 9:00"] + state)
        #expect(own.status == 0 && own.errors.first?.hasSuffix(", 09:00 America/New_York") == true, "\(own)")
        let other = try await tminus(["mute", "e", "--until", "tomorrow 9:00", "--tz", "Asia/Tokyo"] + state)
        #expect(other.status == 0 && other.errors.first?.hasSuffix(", 09:00 Asia/Tokyo") == true, "\(other)")
        let all = try await tminus(["mute", "--until", "tomorrow 9:00"] + state)
        #expect(all.status == 0 && all.errors.first?.hasSuffix(", 09:00 Europe/Berlin") == true, "\(all)")
        let past = try await tminus(["mute", "e", "--until", "yesterday"] + state)
        #expect(past.status == 64 && past.errors.first?.contains("is in the past") == true, "\(past)")

        let why = try await tminus(["why", "e", "yesterday"] + state)
        #expect(why.status == 65 && why.errors.first?.contains("America/New_York") == true, "\(why)")
        #expect(try await daemon.stop() == 0)
    }

    @Test("add says which reminder is past already and is not sent, at its place")
    func pastReminder() async throws {
        let scratch = try Scratch()
        let added = try await tminus(
            ["add", "event", "e", "in 2h", "--remind", "1 day, 1 hour", "--config", scratch.config])
        #expect(added.status == 0)
        let warnings = added.errors.filter { $0.contains(": warning: ") }
        #expect(warnings.count == 1, "\(added.errors)")
        #expect(
            warnings.first?.hasPrefix(
                "\(scratch.config)/tminus.yaml:4:14: warning: this reminder is past already and is not sent: it would have been on "
            ) == true && warnings.first?.contains("Europe/Berlin (") == true, "\(added.errors)")
        #expect(added.errors.last == "             ^~~~~")
        let repeated = try await tminus([
            "add", "event", "r", "in 2h", "--every", "1 week", "--remind", "1 day", "--config", scratch.config,
        ])
        #expect(repeated.status == 0)
        #expect(
            repeated.errors.first?.contains("is past already and is not sent for the first occurrence:") == true,
            "\(repeated.errors)")
        let fine = try await tminus(
            ["add", "event", "f", "in 2h", "--remind", "1 hour", "--config", scratch.config])
        #expect(fine.errors == [])
    }
}

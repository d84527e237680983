internal import ArgumentParser
internal import TminusCore
internal import TminusTerminal
internal import TminusTooling

/// Reads dates that a user gave as options or arguments: in plain words, or as in a definition file.
enum GivenDate {
    /// The instant or day that a text means. `option` names it in messages.
    static func read(
        _ text: String, for option: String, in zone: Zone, allowsPast: Bool = true,
        looking direction: PlainDate.Direction = .ahead
    ) throws -> PlainDate {
        switch PlainDate.parse(
            text, now: MachineZone.now, zone: zone, allowsPast: allowsPast, looking: direction)
        {
        case .success(let date): return date
        case .failure(let problem): throw ValidationError("\(option): \(problem.message)")
        }
    }

    /// Says on standard error what a text was understood as and in which zone, unless it was written with an offset.
    ///
    /// - Parameter isBound: Whether a day without a time stands for the whole day.
    static func say(_ date: PlainDate, of text: String, for option: String, isBound: Bool = false) {
        if case .success(.instant) = DateTimeText.parse(text) { return }
        StandardError.shared.write("tminus: \(option): \(isBound ? date.boundText : date.text)\n")
    }

    /// The zone of that name.
    static func zone(named name: String) throws -> Zone {
        let zones = MachineZone.zones
        if let zone = zones.zone(named: name) { return zone }
        let hint = Suggestion.zone(for: name, in: zones.names).map { ", did you mean '\($0)'?" } ?? ""
        throw ValidationError("--tz: unknown time zone '\(SafeText.line(name))'\(hint)")
    }
}

extension NameSpecification {
    /// The two spellings of the option for a time zone.
    static var zone: NameSpecification { [.customLong("tz"), .customLong("timezone")] }
}

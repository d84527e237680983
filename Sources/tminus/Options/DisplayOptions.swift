internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import TminusControl
internal import TminusCore
internal import TminusTerminal
internal import TminusTooling

/// The options that control how countdowns are drawn.
struct DisplayOptions: ParsableArguments {
    @Flag(help: "Draw with ASCII characters only.")
    var ascii = false

    /// The list of items.
    func list(_ items: [Item], problems: [String]) -> String {
        var view = ListView(width: Self.width, style: style, zones: MachineZone.zones)
        return view.text(items, problems: problems, at: MachineZone.now)
    }

    /// Renders one item with its details.
    func show(_ item: Item, _ details: ItemDetails) -> String {
        let zone = MachineZone.zones.zone(named: item.timezone) ?? MachineZone.current
        let control = details.controls.first.map { "\(HistoryText.control($0)) at \(HistoryText.local($0.due, zone))" }
        return ShowView(width: Self.width, style: style, zones: MachineZone.zones)
            .text(
                item, leads: details.leads.compactMap { $0.summary }, control: control,
                deliveries: details.deliveries.compactMap { $0.summary }, at: MachineZone.now)
    }

    private var style: Style {
        Style(environment: ProcessInfo.processInfo.environment, isTerminal: isatty(STDOUT_FILENO) == 1, ascii: ascii)
    }

    /// The terminal's width in columns, nil for a pipe.
    private static var width: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}

extension ItemDetails.Lead {
    /// The row that `show` prints for this reminder; nil if its status is unknown.
    fileprivate var summary: LeadSummary? {
        guard let status = LeadStanding.Status(rawValue: status) else { return nil }
        return LeadSummary(
            lead: lead, due: due.flatMap { Timestamp(rfc3339: $0) }, status: status, reason: message ?? "")
    }
}

extension DeliveryAnswer {
    /// The row that `show` prints for this delivery.
    fileprivate var summary: DeliverySummary? {
        guard let due = Timestamp(rfc3339: due) else { return nil }
        let outcome: DeliverySummary.Outcome =
            switch DeliveryState(rawValue: state) {
            case .delivered: .delivered
            case .queued, .pending, nil: .waiting
            case .claimed: .running
            case .dead: .dead
            case .expired: .expired
            case .skipped, .discarded: .skipped
            }
        return DeliverySummary(
            due: due, action: AnswerText.action(action), sink: sinkTitle, outcome: outcome, attempts: attempts,
            reason: waitsForSink == true ? "no file declares its sink" : message ?? "")
    }
}

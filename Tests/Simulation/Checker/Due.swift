/// One action that the rules make due, for all its sinks.
struct Due {
    /// What tells it from others; the id of a delivery must go with it and its sink.
    struct Key: Hashable {
        var definition: String
        var occurrence: Nanoseconds
        var action: Action
        var due: Nanoseconds
    }

    var key: Key
    /// When the clock came to its instant, in steady time.
    var crossed: Nanoseconds
    var rule: Rule
    /// The definition was in force with this rule until then, in steady time.
    var until: Nanoseconds
    /// Whether this cannot have been dealt with before, by a clock that was set back since.
    var isFirst: Bool

    /// From when on it is of no use, in wall time.
    var expires: Nanoseconds {
        switch key.action {
        case .reminder where key.due < key.occurrence: key.occurrence
        default: key.due + rule.grace
        }
    }
    var sinks: [String] { key.action == .reminder ? rule.reminderSinks : rule.sinks }
}

/// A time in which a definition was in force with one rule.
struct Reign {
    var definition: String
    var rule: Rule
    /// In steady time; nothing that was due up to `from` is of it.
    var from: Nanoseconds
    var to: Nanoseconds
    /// The rule before it if that held up to its beginning.
    var former: Rule?
    /// When that one began, in steady time.
    var formerFrom: Nanoseconds?
    /// Whether the definition was in force at some time before.
    var isReturn: Bool

    /// The times in which each definition was in force, by definition. Edits count from when the program reads them.
    static func all(_ history: [Record]) -> [String: [Reign]] {
        var reigns: [String: [Reign]] = [:]
        var present: [String: Rule] = [:]
        var open: [String: Rule] = [:]
        var isUp = false
        let end = history.last?.steady ?? 0

        func apply(_ id: String, at steady: Nanoseconds) {
            let (former, rule) = (open[id], present[id])
            guard former != rule else { return }
            let formerFrom = former == nil ? nil : reigns[id]?.last?.from
            if former != nil, let last = reigns[id]?.indices.last { reigns[id]?[last].to = steady }
            open[id] = rule
            guard let rule else { return }
            let reign = Reign(
                definition: id, rule: rule, from: steady, to: end, former: former, formerFrom: formerFrom,
                isReturn: reigns[id] != nil)
            reigns[id, default: []].append(reign)
        }
        for record in history {
            switch record.event {
            case .edited(let id, let rule):
                present[id] = rule
                if isUp { apply(id, at: record.steady) }
            case .started:
                isUp = true
                for id in Set(present.keys).union(open.keys).sorted() { apply(id, at: record.steady) }
            case .stopping, .crashed: isUp = false
            default: break
            }
        }
        return reigns
    }
}

extension Course {
    /// Everything that an event made due while it was in force.
    func dues(of reign: Reign, _ calendar: Rule.Calendar) -> [Due] {
        var (first, last) = (wall(at: reign.from), wall(at: reign.from))
        for point in [reign.to] + steps.flatMap({ [$0.steady, $0.steady - 1] })
        where reign.from <= point && point <= reign.to {
            (first, last) = (min(first, wall(at: point)), max(last, wall(at: point)))
        }
        // Only what the program may send late counts longer than the reign: an edit that waits for the store.
        let to = trouble(at: reign.to).map { max($0.to, reign.to) } ?? reign.to
        // So does what a clock that is set at the moment of the edit passes over.
        let begin = isSet(at: reign.from) ? reign.from - 1 : reign.from
        let from = trouble(at: reign.from).map { min($0.from, begin) } ?? begin
        last = max(last, wall(at: min(to, end)))
        first = min(first, wall(at: max(0, from)))
        let reach = reign.rule.leads.map(\.length).max() ?? 0
        var dues: [Due] = []
        for occurrence in calendar.occurrences(from: first - reach, through: last + reach) {
            let actions: [(Action, Nanoseconds)] =
                [(.expiry, occurrence)] + reign.rule.leads.map { (.reminder, $0.due(of: occurrence)) }
            for (action, due) in actions {
                guard let crossed = crossing(of: due, after: from, upTo: to) else { continue }
                dues.append(
                    Due(
                        key: .init(definition: reign.definition, occurrence: occurrence, action: action, due: due),
                        crossed: crossed, rule: reign.rule, until: reign.to,
                        isFirst: crossed > reign.from && crossed <= reign.to && due > latestWall(upTo: crossed - 1)))
            }
        }
        return dues
    }
}

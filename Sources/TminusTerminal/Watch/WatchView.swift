internal import TminusControl
package import TminusCore

/// Draws the live view. A pure function of model, instant and style.
package struct WatchView: Sendable {
    /// The style to draw in.
    let style: Style
    /// The zones for local times.
    let zones: any ZoneDatabase

    /// Creates a view with a style and a zone database for local times.
    package init(style: Style, zones: any ZoneDatabase) {
        self.style = style
        self.zones = zones
    }

    /// Draws the screen for an instant.
    package func frame(_ model: WatchModel, at now: Timestamp) -> Frame {
        var frame = Frame(model.layout.size)
        if model.layout.hasTitle { frame.put(title(model), row: 0) }
        switch model.page {
        case .rows: rows(model, now, &frame)
        case .large: large(model, now, &frame)
        case .help: help(model.layout, &frame)
        }
        foot(model, now, &frame)
        return frame.shown(by: Palette(style))
    }

    private func title(_ model: WatchModel) -> Line {
        let width = model.layout.size.columns
        var line = Line("tminus", .bold)
        if let part = model.shownPart { line.append("  \(part)", .bold) }
        if let problem = model.problem {
            line.append("  \(SafeText.line(problem, unicode: style.hasUnicode))", Look(.named(.red), bold: true))
            return line.cut(to: width, mark: style.cutMark)
        }
        let counts = model.entries.compactMap { entry in
            if case .head(let group, let count) = entry { "\(count) \(group.rawValue.lowercased())" } else { nil }
        }
        line.append("  " + counts.joined(separator: ", "), .faint)
        return line.cut(to: width, mark: style.cutMark)
    }

    private func foot(_ model: WatchModel, _ now: Timestamp, _ frame: inout Frame) {
        let (layout, width) = (model.layout, model.layout.size.columns)
        guard layout.footRows > 0 else { return }
        let message = model.message.map {
            Line(
                Self.fitting(SafeText.line($0.text, unicode: style.hasUnicode), width),
                Look(.named($0.isProblem ? .red : .green), bold: true)
            ).cut(to: width, mark: style.cutMark)
        }
        if let question = model.question {
            let row = layout.size.rows - 1
            if layout.footRows > 1 { frame.put(self.question(question, width), row: row - 1) }
            frame.put(layout.footRows > 1 ? answers(width) : self.question(question, width), row: row)
            return
        }
        if let message { frame.put(message, row: layout.body.upperBound) }
        if layout.footRows > 1 || message == nil { frame.put(helpLine(width), row: layout.size.rows - 1) }
    }

    /// Fits a message into one row. A long refusal is reordered so that its end, the allowed controls, comes first.
    private static func fitting(_ text: String, _ width: Int) -> String {
        let mark = "; allowed: "
        guard DisplayWidth.of(text) > width, let end = text.firstRange(of: mark), let colon = text.firstRange(of: ": ")
        else {
            return text
        }
        let (id, reason) = (text[..<colon.upperBound], text[colon.upperBound..<end.lowerBound])
        return "\(id)can \(text[end.upperBound...]); \(reason)"
    }
}

@testable import TminusSinks

/// Targets for what sinks read: templates of users, and the answers of receivers.
enum SinkTargets {
    static func template(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        for escaping in TemplateEscaping.allCases {
            guard let template = try? TextTemplate(text, escaping: escaping) else { continue }
            for delivery in [SampleDelivery.full, SampleDelivery.reminder, SampleDelivery.sparse] {
                _ = template.render(delivery)
            }
        }
    }

    static func plugin(_ bytes: [UInt8]) {
        func lines(_ pieces: [ArraySlice<UInt8>]) -> [LineSplitter.Line] {
            var splitter = LineSplitter(limit: 256)
            let found = pieces.filter { !$0.isEmpty }.flatMap { piece in
                piece.withUnsafeBytes { splitter.take($0) }
            }
            return found + splitter.take(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        let middle = bytes.count / 2
        let whole = lines([bytes[...]])
        demand(lines([bytes[..<middle], bytes[middle...]]) == whole, "where a piece ends does not matter")
        for line in whole {
            demand(line.bytes.count <= 256 && !line.bytes.contains(0x0A), "a line is bounded")
            _ = PluginMessage.answer(line.bytes)
        }
    }

    static func retryAfter(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let wait = RetryAfter.parse(text, now: 1_774_746_000) else { return }
        demand(wait >= .zero && wait <= .seconds(366 * 86_400), "a wait is bounded: '\(text)'")
    }
}

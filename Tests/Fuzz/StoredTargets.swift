import TminusCore
import TminusStorage

/// A target for the columns of a damaged database. What can be read is written and read back the same.
enum StoredTargets {
    static func stored(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let payload = PayloadText.decode(text) {
            let written = try? PayloadText.encode(payload)
            demand(written.flatMap(PayloadText.decode) == payload, "the payload \(payload) reads back")
        }
        if let overrides = try? OverridesText.decode(text), let written = try? OverridesText.encode(overrides) {
            demand((try? OverridesText.decode(written)) == overrides, "the overrides \(overrides) read back")
        }
        let report = ReportText.decode(text)
        if let written = ReportText.encode(report) {
            demand(ReportText.decode(written) == report, "the report \(report) reads back")
        }
    }
}

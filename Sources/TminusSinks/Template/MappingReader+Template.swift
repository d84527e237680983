import FoundationEssentials
package import TminusCore

extension MappingReader {
    /// The template of a key. Problems are reported.
    package func template(_ key: String, escaping: TemplateEscaping) -> TextTemplate? {
        guard let text = text(key) else { return nil }
        do throws(TextTemplate.Problem) {
            return try TextTemplate(text, escaping: escaping)
        } catch {
            self.error("'\(key)' \(error.message)", at: key)
            return nil
        }
    }

    /// Warns if a template of a JSON body does not render to JSON.
    func warnUnlessJSON(_ template: TextTemplate, at key: String) {
        for sample in [SampleDelivery.reminder, SampleDelivery.sparse] {
            let text = template.render(sample)
            guard (try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))) == nil else { continue }
            let place = sample.action == .expiry ? "an expiry, which has no 'before'" : "a reminder"
            diagnostics.report(
                .warning,
                "'\(key)' is not JSON for \(place); for another kind of text set headers: { Content-Type: text/plain }",
                at: node(key)?.range ?? range)
            return
        }
    }
}

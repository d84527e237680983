package import TminusCore
internal import TminusDefinitions

/// The JSON Schema of definition files, for editors.
package enum ConfigSchema {
    /// The schema (draft 2020-12) as JSON text with a line end, for files that use the given kinds of sink.
    package static func json(sinks: [any Sink.Type]) -> String {
        DefinitionSchema(SinkRegistry(sinks)).text
    }
}

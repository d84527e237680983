public import TminusCore

/// The kinds of sink that tminus comes with.
public enum StandardSinks {
    /// In the order in which messages list them.
    public static let kinds: [any Sink.Type] = [
        StdoutSink.self, ShellSink.self, ExecSink.self, WebhookSink.self, WebhookFileSink.self, PluginSink.self,
    ]
}

package import TminusCore

/// `plugin`: a program that stays, and takes deliveries as lines of JSON on its standard input.
package struct PluginSink: Sink {
    package static let kind = "plugin"
    package static let options = KeyTable("a plugin sink", PluginSettings.keys + [MessageTemplate.key])

    package var maxConcurrent: Int { settings.maxConcurrent }
    package var timeLimit: Duration { settings.timeLimit }

    private let settings: PluginSettings
    private let host: PluginHost
    private let message: MessageTemplate

    package init?(from reader: inout MappingReader, context: SinkContext) {
        let message = MessageTemplate(from: reader)
        guard let settings = PluginSettings(from: &reader, context: context) else { return nil }
        self.init(settings, message: message, log: context.log)
    }

    /// A sink with these settings.
    package init(_ settings: PluginSettings, message: MessageTemplate = .none, log: SinkLog = .silent) {
        self.settings = settings
        self.message = message
        host = PluginHost(settings, log: log)
    }

    @discardableResult
    package func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        try await host.deliver(message.applied(to: delivery))
    }

    package func shutdown() async {
        await host.shutdown()
    }
}

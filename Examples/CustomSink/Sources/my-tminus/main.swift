import DatagramSink
import Glibc
import Logging
import ServiceLifecycle
import TminusDaemon

// usage: my-tminus CONFIG STATE
signal(SIGPIPE, SIG_IGN)
let words = CommandLine.arguments.dropFirst()
let options = try DaemonOptions(config: words.first, state: words.dropFirst().first, store: nil)
let logger = Logger(label: "my-tminus")
let daemon = Daemon(options: options, sinks: Daemon.standardSinks + [DatagramSink.self], logger: logger)
try await ServiceGroup(services: [daemon], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger).run()

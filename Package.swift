// swift-tools-version: 6.2

import PackageDescription

// `TMINUS_STRICT=1` turns warnings of our own targets into errors; CI sets it. The default build does not, so that
// a newer compiler's new warning never keeps a stranger from building.
let strict = Context.environment["TMINUS_STRICT"] == "1"

let package = Package(
    name: "tminus",
    products: [
        .executable(name: "tminus", targets: ["tminus"]),
        .library(name: "TminusCore", targets: ["TminusCore"]),
        .library(name: "TminusDaemon", targets: ["TminusDaemon"]),
        .library(name: "TminusTestKit", targets: ["TminusTestKit"]),
    ],
    traits: [
        .trait(name: "Inotify", description: "Watch by libinotifytools (GPL-2). Without it, tminus only polls."),
        .default(enabledTraits: ["Inotify"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", .upToNextMinor(from: "1.8.2")),
        .package(url: "https://github.com/apple/swift-collections.git", .upToNextMinor(from: "1.6.0")),
        .package(url: "https://github.com/apple/swift-http-types.git", .upToNextMinor(from: "1.8.0")),
        .package(url: "https://github.com/apple/swift-log.git", .upToNextMinor(from: "1.16.2")),
        .package(url: "https://github.com/apple/swift-nio.git", .upToNextMinor(from: "2.101.2")),
        .package(url: "https://github.com/apple/swift-nio-extras.git", .upToNextMinor(from: "1.35.2")),
        .package(url: "https://github.com/apple/swift-nio-http2.git", .upToNextMinor(from: "1.46.0")),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", .upToNextMinor(from: "2.37.6")),
        .package(url: "https://github.com/groue/GRDB.swift.git", .upToNextMinor(from: "7.10.0")),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", .upToNextMinor(from: "2.28.1")),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", .upToNextMinor(from: "2.1.1")),
        .package(url: "https://github.com/jpsim/Yams.git", .upToNextMinor(from: "6.2.2")),
        .package(url: "https://github.com/swift-server/async-http-client.git", .upToNextMinor(from: "1.37.0")),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", .upToNextMinor(from: "2.13.0")),
    ],
    targets: [
        // Values, rules and seams. No I/O.
        .target(
            name: "TminusCore",
            dependencies: [
                "CNettle",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ]
        ),
        .systemLibrary(name: "CNettle", providers: [.apt(["nettle-dev"])]),

        // How every HTTP client of the program is configured.
        .target(
            name: "TminusHTTP",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),

        // The platform layer: what the operating system offers, below the adapters.
        .target(name: "TminusSystem", dependencies: ["CPlatform", "TminusCore"]),
        .target(name: "CPlatform"),

        // The statements and verbs of every SQL store, and the form in which it keeps payloads, reports and overrides.
        .target(name: "TminusStorage", dependencies: ["TminusCore"]),

        // Adapters. None imports another.
        .target(name: "TminusDefinitions", dependencies: ["TminusCore", .product(name: "Yams", package: "Yams")]),
        .target(
            name: "TminusWatch",
            dependencies: [
                "TminusCore", "TminusSystem",
                .target(name: "CInotifyTools", condition: .when(traits: ["Inotify"])),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "TminusSQLite",
            dependencies: [
                "CSQLiteSettings", "TminusCore", "TminusStorage", "TminusSystem",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .target(name: "TminusPostgres", dependencies: ["CPostgres", "TminusCore", "TminusStorage"]),
        .target(
            name: "TminusSinks",
            dependencies: [
                "TminusCore", "TminusHTTP", "TminusSystem",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .target(
            name: "TminusControl",
            dependencies: [
                "TminusCore", "TminusHTTP", "TminusSystem",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        // What a terminal shows.
        .target(name: "TminusTerminal", dependencies: ["TminusControl", "TminusCore", "TminusSystem"]),
        .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
        .systemLibrary(name: "CSQLiteSettings"),
        // Headers only: nothing links libpq, which is loaded when a store on PostgreSQL is opened.
        .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
        .target(name: "CProcessSetup"),
        // The files of the web page; the compiler puts them into the program.
        .target(name: "CPageFiles", exclude: ["files"]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),

        // What works without a daemon.
        .target(
            name: "TminusTooling",
            dependencies: [
                "TminusCore", "TminusDefinitions", "TminusPostgres", "TminusSQLite", "TminusStorage", "TminusSystem",
                "TminusWatch",
            ]),

        // The wiring, and the executable over it.
        .target(
            name: "TminusDaemon",
            dependencies: [
                "CPageFiles", "CZlib", "TminusControl", "TminusCore", "TminusDefinitions", "TminusWatch",
                "TminusPostgres", "TminusSQLite", "TminusSinks",
                "TminusSystem", "TminusTooling",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("Serving/control.openapi.json")]
        ),
        .executableTarget(
            name: "tminus",
            dependencies: [
                "CProcessSetup", "TminusControl", "TminusCore", "TminusDaemon", "TminusSystem", "TminusTerminal",
                "TminusTooling",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),

        // For tests here and for those of sink authors.
        .target(name: "TminusTestKit", dependencies: ["TminusCore"]),
        .target(name: "ChildProcessSupport", path: "Tests/ChildProcessSupport"),
        .target(name: "WatchTestSupport", dependencies: ["ChildProcessSupport"], path: "Tests/WatchTestSupport"),
        .testTarget(
            name: "TminusCoreTests", dependencies: ["TminusCore", "TminusTestKit"], resources: [.copy("Vectors")]),
        .testTarget(
            name: "TminusDefinitionsTests",
            dependencies: ["TminusDefinitions", "TminusSinks", "TminusTestKit"],
            exclude: ["Golden", "GoldenFormats", "Comparisons", "Simulations", "SchemaBlind.txt"]
        ),
        .executableTarget(
            name: "FuzzConfig",
            dependencies: [
                "TminusCore", "TminusDefinitions", "TminusSinks", "TminusTestKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/FuzzConfig",
            exclude: ["fuzz_config.py"]
        ),
        // The checker of simulations knows nothing of the program: it has no dependencies.
        .target(name: "SimulationChecker", path: "Tests/Simulation/Checker"),
        .testTarget(name: "SimulationCheckerTests", dependencies: ["SimulationChecker"]),
        .target(name: "CVolatileDisk", path: "Tests/Simulation/Disk"),
        .executableTarget(
            name: "tminus-sim",
            dependencies: [
                "CVolatileDisk", "SimulationChecker", "TminusCore", "TminusDefinitions", "TminusSQLite",
                "TminusStorage",
                "TminusTestKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Simulation/Program"
        ),
        .testTarget(
            name: "TminusWatchTests",
            dependencies: [
                "TminusWatch", "TminusTestKit", "WatchTestSupport", .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "WatchMatrixTests",
            dependencies: [
                "tminus", "TminusCore", "TminusDefinitions", "TminusSinks", "TminusSystem", "TminusTestKit",
                "TminusWatch", "WatchTestSupport", .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Tools"]
        ),
        .testTarget(name: "TminusControlTests", dependencies: ["TminusControl", "TminusTestKit"]),
        .target(
            name: "TerminalTestSupport",
            dependencies: ["TminusControl", "TminusCore", "TminusTerminal", "TminusTestKit"],
            path: "Tests/TerminalTestSupport"),
        .testTarget(
            name: "TminusTerminalTests",
            dependencies: ["TerminalTestSupport", "TminusControl", "TminusCore", "TminusTerminal", "TminusTestKit"],
            exclude: ["Golden"]),
        .executableTarget(
            name: "watch-fixture",
            dependencies: [
                "TerminalTestSupport", "TminusControl", "TminusCore", "TminusTerminal",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/WatchFixture"),
        .testTarget(
            name: "TminusSQLiteTests",
            dependencies: ["TminusSQLite", "TminusStorage", "TminusSystem", "TminusTestKit"],
            exclude: ["Stores"]),
        .target(
            name: "PostgresTestServer", dependencies: ["ChildProcessSupport", "TminusTestKit"],
            path: "Tests/PostgresTestServer",
            resources: [.copy("cluster.sh")]),
        .testTarget(
            name: "TminusPostgresTests",
            dependencies: ["PostgresTestServer", "TminusCore", "TminusPostgres", "TminusStorage", "TminusTestKit"]),
        .testTarget(
            name: "TminusSinksTests",
            dependencies: ["TestServer", "TminusDefinitions", "TminusSinks", "TminusSystem", "TminusTestKit"]),
        .target(
            name: "TestServer", dependencies: ["ChildProcessSupport", "TminusTestKit"], path: "Tests/TestServer",
            resources: [.copy("certificates.sh"), .copy("http_server.py")]),
        .testTarget(name: "ProcessSetupTests", dependencies: ["CProcessSetup"]),
        .testTarget(
            name: "TminusSystemTests",
            dependencies: ["CPlatform", "ChildProcessSupport", "TminusSystem", "TminusTestKit"],
            resources: [.copy("Vectors")]
        ),
        .testTarget(
            name: "TminusToolingTests",
            dependencies: [
                "TminusControl", "TminusCore", "TminusDefinitions", "TminusSQLite", "TminusSinks", "TminusStorage",
                "TminusSystem", "TminusTestKit", "TminusTooling",
            ],
            exclude: ["Golden"]),
        .testTarget(
            name: "TminusDaemonTests",
            dependencies: [
                "CPlatform", "ChildProcessSupport", "TestServer", "TminusControl", "TminusDaemon", "TminusDefinitions",
                "TminusSinks", "TminusSystem", "TminusTestKit", "TminusTooling", "TminusWatch",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["Metrics/Golden"]
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["ChildProcessSupport", "PostgresTestServer", "tminus", "TminusTestKit", "watch-fixture"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// `make fuzz` sets this: without the runtime of libFuzzer the program would not link. Of the modules below it takes the
// readers, which need no library of HTTP and TLS; those would take most of the build.
if Context.environment["TMINUS_FUZZ"] == "1" {
    package.targets.append(
        .executableTarget(
            name: "tminus-fuzz",
            dependencies: [
                "TminusControl", "TminusCore", "TminusDaemon", "TminusDefinitions", "TminusSinks", "TminusStorage",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/Fuzz", exclude: ["Corpus", "fuzz.py"]))
    func reduce(_ name: String, to sources: [String], _ dependencies: [Target.Dependency]) {
        for target in package.targets where target.name == name {
            (target.sources, target.dependencies, target.resources) = (sources, dependencies, nil)
        }
    }
    reduce(
        "TminusSinks",
        to: [
            "Plugin/LineSplitter.swift", "Plugin/PluginMessage.swift", "Support/DecodedText.swift",
            "Support/PlainText.swift", "Support/Redaction.swift", "Support/SecretForms.swift", "Template",
            "Webhook/RetryAfter.swift",
        ],
        ["TminusCore", .product(name: "Mustache", package: "swift-mustache")])
    reduce("TminusControl", to: ["Items", "Wire"], ["TminusCore"])
    reduce(
        "TminusDaemon",
        to: [
            "Editing/WriteCondition.swift", "Serving/Control+Body.swift", "Web/Credentials.swift",
            "Web/HostNames.swift", "Web/IPLiteral.swift", "Web/SessionCookie.swift", "Web/SiteRules.swift",
            "Web/WebClient.swift",
        ],
        ["TminusControl", "TminusCore", .product(name: "HTTPTypes", package: "swift-http-types")])
}

for target in package.targets where target.type != .system && target.name != "CProcessSetup" {
    var settings = target.swiftSettings ?? []
    for feature in [
        "ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault", "NonisolatedNonsendingByDefault",
    ] {
        settings.append(.enableUpcomingFeature(feature))
    }
    if strict { settings.append(.treatAllWarnings(as: .error)) }
    target.swiftSettings = settings
}

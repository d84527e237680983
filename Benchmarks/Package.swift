// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// A package of its own, so that the build of tminus does not contain benchmarks.
let package = Package(
    name: "benchmarks",
    dependencies: [
        .package(name: "tminus", path: "..", traits: []),
        // The version of tminus: the Makefile copies its Package.resolved.
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "bench-time", dependencies: [.product(name: "TminusCore", package: "tminus")], path: "Time",
            swiftSettings: settings),
        .executableTarget(
            name: "bare-server", dependencies: [.product(name: "Hummingbird", package: "hummingbird")],
            path: "BareServer", swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

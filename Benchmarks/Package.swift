// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that the build of tminus does not contain benchmarks.
let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "tminus", path: "..", traits: [])],
    targets: [
        .executableTarget(
            name: "bench-time", dependencies: [.product(name: "TminusCore", package: "tminus")], path: "Time",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ])
    ],
    swiftLanguageModes: [.v6]
)

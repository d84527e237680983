// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that the ordinary build does not know it.
let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "tminus", path: "..", traits: [])],
    targets: [
        .executableTarget(
            name: "BenchTime", dependencies: [.product(name: "TminusCore", package: "tminus")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ])
    ],
    swiftLanguageModes: [.v6]
)

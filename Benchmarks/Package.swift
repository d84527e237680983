// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that the ordinary build does not know it.
let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "tminus", path: "..", traits: [])],
    targets: [
        // The same as in the package above, where the benchmarks are that need more than TminusCore.
        .target(
            name: "BenchRows", path: "Rows",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]),
        .executableTarget(
            name: "BenchTime", dependencies: ["BenchRows", .product(name: "TminusCore", package: "tminus")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

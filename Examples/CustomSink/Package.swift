// swift-tools-version: 6.2

import PackageDescription

// tminus with one more kind of sink. Outside of this repository, use `url` instead of `path`.
let package = Package(
    name: "my-tminus",
    dependencies: [
        .package(name: "tminus", path: "../.."),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        .target(name: "DatagramSink", dependencies: [.product(name: "TminusCore", package: "tminus")]),
        .executableTarget(
            name: "my-tminus",
            dependencies: [
                "DatagramSink",
                .product(name: "TminusDaemon", package: "tminus"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "DatagramSinkTests",
            dependencies: ["DatagramSink", .product(name: "TminusTestKit", package: "tminus")]
        ),
    ]
)

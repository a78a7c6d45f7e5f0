// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

// A pointer in these targets does not compile.
let pure: [SwiftSetting] = strict + [.strictMemorySafety()]

// Bottom-up: a target may import what stands above it, as far as its dependencies say.
let package = Package(
  name: "wifi-provisioning",
  products: [
    .library(name: "BluetoothLE", targets: ["BluetoothLE", "MainLoop"]),
    .executable(name: "wifi-provisiond", targets: ["wifi-provisiond"]),
    .executable(name: "wifi-provision", targets: ["wifi-provision"]),
    .executable(name: "radio-simulator", targets: ["radio-simulator"]),
  ],
  targets: [
    // C libraries, each seen by its wrapper only.
    .systemLibrary(
      name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(
      name: "CNetworkManager", pkgConfig: "libnm", providers: [.apt(["libnm-dev"])]),
    .systemLibrary(name: "CCBOR", pkgConfig: "libcbor", providers: [.apt(["libcbor-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng16", providers: [.apt(["libpng-dev"])]),

    // Bytes that are wiped, and cannot be printed.
    .target(name: "Secrets", swiftSettings: strict),
    // The log lines and the service manager's notifications.
    .target(name: "Diagnostics", swiftSettings: strict),

    // Wrappers of C libraries.
    .target(name: "CBOR", dependencies: ["CCBOR", "Secrets"], swiftSettings: strict),
    .target(
      name: "Cryptography", dependencies: ["COpenSSL", "Secrets"], swiftSettings: strict),
    .target(name: "MainLoop", dependencies: ["CGLib"], swiftSettings: strict),
    .target(name: "CommandLineOptions", dependencies: ["CGLib"], swiftSettings: strict),
    .target(name: "KeyFile", dependencies: ["CGLib"], swiftSettings: strict),
    .target(name: "MachineIdentity", dependencies: ["CGLib"], swiftSettings: strict),
    .target(name: "QRCode", dependencies: ["CQREncode", "CPNG"], swiftSettings: strict),
    .target(name: "DBus", dependencies: ["CDBus", "CGLib", "MainLoop"], swiftSettings: strict),
    .target(
      name: "WiFi", dependencies: ["CNetworkManager", "CGLib", "MainLoop", "DBus", "Secrets"],
      swiftSettings: strict),

    // The protocol: bytes in, actions out.
    .target(
      name: "ProvisioningProtocol", dependencies: ["CBOR", "Cryptography", "Secrets"],
      swiftSettings: pure),

    // What a device keeps: its setup code, and the wrong guesses.
    .target(
      name: "DeviceState",
      dependencies: ["ProvisioningProtocol", "Cryptography", "CBOR", "Secrets"],
      swiftSettings: strict),

    // Bluetooth Low Energy over BlueZ.
    .target(name: "BluetoothLE", dependencies: ["DBus", "MainLoop"], swiftSettings: strict),

    // The two ends, each behind ports.
    .target(
      name: "ProvisioningAgent", dependencies: ["ProvisioningProtocol", "Secrets", "Diagnostics"],
      swiftSettings: strict),
    .target(
      name: "Provisioner",
      dependencies: ["ProvisioningProtocol", "Secrets", "CBOR", "Cryptography"],
      swiftSettings: strict),

    // The stand-in for BlueZ and NetworkManager.
    .target(
      name: "RadioSimulator", dependencies: ["DBus", "MainLoop", "KeyFile"], swiftSettings: strict),

    // Programs.
    .executableTarget(
      name: "wifi-provisiond",
      dependencies: [
        "ProvisioningAgent", "ProvisioningProtocol", "BluetoothLE", "WiFi", "DBus", "MainLoop",
        "Secrets", "Diagnostics", "CommandLineOptions", "KeyFile", "MachineIdentity",
        "Cryptography", "DeviceState", "QRCode",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "wifi-provision",
      dependencies: [
        "Provisioner", "ProvisioningProtocol", "BluetoothLE", "DBus", "MainLoop", "Secrets",
        "CommandLineOptions",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "radio-simulator",
      dependencies: ["RadioSimulator", "KeyFile", "MainLoop", "CommandLineOptions"],
      swiftSettings: strict),

    // Tests.
    .testTarget(name: "SecretsTests", dependencies: ["Secrets"], swiftSettings: strict),
    .testTarget(name: "CBORTests", dependencies: ["CBOR"], swiftSettings: strict),
    .testTarget(
      name: "CryptographyTests", dependencies: ["Cryptography", "Secrets"],
      swiftSettings: strict),
    .testTarget(
      name: "ProvisioningProtocolTests",
      dependencies: ["ProvisioningProtocol", "CBOR", "Cryptography", "Secrets"],
      swiftSettings: strict),
    .target(
      name: "TestSupport",
      dependencies: [
        "RadioSimulator", "DBus", "MainLoop", "DeviceState", "ProvisioningProtocol",
        "Cryptography",
      ],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "MainLoopTests", dependencies: ["MainLoop", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "DBusTests", dependencies: ["DBus", "MainLoop", "TestSupport", "RadioSimulator"],
      swiftSettings: strict),
    .testTarget(
      name: "BluetoothLETests",
      dependencies: ["BluetoothLE", "DBus", "MainLoop", "TestSupport", "RadioSimulator"],
      swiftSettings: strict),
    .testTarget(
      name: "WiFiTests",
      dependencies: ["WiFi", "RadioSimulator", "DBus", "MainLoop", "Secrets", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "CommandLineOptionsTests", dependencies: ["CommandLineOptions"],
      swiftSettings: strict),
    .testTarget(
      name: "ProvisionerTests",
      dependencies: ["Provisioner", "ProvisioningProtocol", "CBOR", "Cryptography", "Secrets"],
      swiftSettings: strict),
    .testTarget(
      name: "WiFiProvisionTests",
      dependencies: [
        "wifi-provision", "wifi-provisiond", "Provisioner", "ProvisioningProtocol", "BluetoothLE",
        "CommandLineOptions", "DBus", "MainLoop", "RadioSimulator", "Secrets", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(name: "DiagnosticsTests", dependencies: ["Diagnostics"], swiftSettings: strict),
    .testTarget(name: "KeyFileTests", dependencies: ["KeyFile"], swiftSettings: strict),
    .testTarget(
      name: "MachineIdentityTests", dependencies: ["MachineIdentity"], swiftSettings: strict),
    .testTarget(
      name: "DeviceStateTests",
      dependencies: ["DeviceState", "ProvisioningProtocol", "Cryptography", "CBOR", "Secrets"],
      swiftSettings: strict),
    .testTarget(name: "QRCodeTests", dependencies: ["QRCode"], swiftSettings: strict),
    .testTarget(
      name: "RadioSimulatorTests",
      dependencies: ["RadioSimulator", "KeyFile", "DBus", "MainLoop", "TestSupport"],
      swiftSettings: strict),
    // The programs are dependencies so that they are built before they are run.
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "RadioSimulator", "DBus", "DeviceState", "MainLoop", "TestSupport", "wifi-provisiond",
        "wifi-provision", "radio-simulator",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ProvisioningAgentTests",
      dependencies: [
        "ProvisioningAgent", "ProvisioningProtocol", "Cryptography", "Secrets", "Diagnostics",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "wifi-provisiond", "BluetoothLE", "KeyFile", "ProvisioningProtocol", "Cryptography", "DBus",
        "ProvisioningAgent", "DeviceState", "Diagnostics", "TestSupport", "RadioSimulator",
        "MainLoop",
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// The fuzzer brings its own main function, so its program is no part of an ordinary build.
if Context.environment["FUZZING"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: ["ProvisioningProtocol", "CBOR", "Cryptography", "Secrets"],
      path: "Tests/Fuzz", exclude: ["corpus", "run"],
      sources: ["FuzzTarget.swift", "FuzzTarget+Decoders.swift", "FuzzedSessions.swift"],
      swiftSettings: strict))
}

// Only `make bench` needs it.
if Context.environment["BENCHMARKS"] != nil {
  package.targets.append(
    .executableTarget(
      name: "handshake-cost", dependencies: ["ProvisioningProtocol", "Cryptography", "COpenSSL"],
      path: "Tests/HandshakeCost", swiftSettings: strict))
}

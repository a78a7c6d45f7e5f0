internal import CGLib

/// What tells this machine from others, as the operating system keeps it.
package enum MachineIdentity {
  /// Why there is no machine id.
  package enum Failure: Error, Equatable, Sendable {
    /// None of the files can be read.
    case missing
    /// The file holds something else; on an image's first start that is `uninitialized`.
    case malformed(path: String)
  }

  /// Where machine ids are: systemd's, and D-Bus's own for machines without systemd.
  package static let machineIDPaths = ["/etc/machine-id", "/var/lib/dbus/machine-id"]

  /// 32 bytes that belong to this machine and this application, and do not tell the machine id,
  /// which `machine-id(5)` says to keep from untrusted networks.
  ///
  /// Computed as `sd_id128_get_machine_app_specific(3)` does: HMAC-SHA256 over the application's
  /// id with the machine id as the key. (That function then sets the bits that make a UUID.)
  /// Machines that were cloned after their first start share it.
  ///
  /// - Parameter application: 16 bytes, drawn once for the application.
  package static func applicationSpecificID(
    application: [UInt8], paths: [String] = machineIDPaths
  ) throws(Failure) -> [UInt8] {
    let key = try machineID(paths: paths)
    guard
      let handle = key.withUnsafeBufferPointer({
        g_hmac_new(G_CHECKSUM_SHA256, $0.baseAddress, gsize($0.count))
      })
    else { preconditionFailure("GLib without SHA-256") }
    defer { g_hmac_unref(handle) }
    application.withUnsafeBufferPointer { g_hmac_update(handle, $0.baseAddress, $0.count) }
    var digest = [UInt8](repeating: 0, count: 32)
    var length = gsize(digest.count)
    g_hmac_get_digest(handle, &digest, &length)
    return digest
  }

  /// The host's name up to its first dot; nil where it has none but `localhost`.
  package static var hostName: String? {
    guard let name = g_get_host_name() else { return nil }
    let short = String(cString: name).prefix { $0 != "." }
    return short.isEmpty || short == "localhost" ? nil : String(short)
  }

  private static func machineID(paths: [String]) throws(Failure) -> [UInt8] {
    for path in paths {
      var contents: UnsafeMutablePointer<CChar>?
      var length: gsize = 0
      guard g_file_get_contents(path, &contents, &length, nil) != 0, let contents else { continue }
      defer { g_free(contents) }
      let text = UnsafeRawBufferPointer(start: contents, count: Int(length))
      let line = text.prefix { $0 != UInt8(ascii: "\n") }
      let digits = line.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      guard digits.count == 32, line.count == 32 else { throw .malformed(path: path) }
      return stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
    throw .missing
  }
}

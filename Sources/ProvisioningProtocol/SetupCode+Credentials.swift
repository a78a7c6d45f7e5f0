package import Cryptography

extension SPAKE2Plus.Context {
  /// The provisioner's name in every handshake.
  static let provisionerName = Array("provisioner".utf8)

  /// What the two sides of a handshake must agree on: the protocol and its version, what the
  /// device said of itself, and which device it is.
  ///
  /// `information` is the value of the device information characteristic, byte for byte as it was
  /// read: were it changed on the way, so as to hide what the device offers, the proofs would not
  /// match.
  package init(deviceID: DeviceID, information: [UInt8]) throws(CryptographyError) {
    self.init(
      label: Array("wifi-provisioning 1".utf8) + (try SHA256.hash(of: information)),
      prover: Self.provisionerName, verifier: deviceID.bytes)
  }
}

extension SetupCode {
  /// Stretches the code to what a provisioner proves to know; their `record()` is what the device
  /// keeps.
  ///
  /// This takes scrypt's time and memory, by its purpose: tens of milliseconds on a laptop.
  package func credentials(
    for device: DeviceID, stretching: CodeStretching
  ) throws(CryptographyError) -> SPAKE2Plus.Credentials {
    let input = SPAKE2Plus.Credentials.stretchingInput(
      password: digits, prover: SPAKE2Plus.Context.provisionerName, verifier: device.bytes)
    return try SPAKE2Plus.Credentials(
      stretched: Scrypt.derive(
        from: input, salt: stretching.salt, n: stretching.cost, r: CodeStretching.blockSize,
        p: CodeStretching.parallelization, count: SPAKE2Plus.stretchedCount))
  }
}

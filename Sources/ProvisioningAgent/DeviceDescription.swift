package import ProvisioningProtocol

/// What a device is and whom it lets in: all that the agent has to be told.
package struct DeviceDescription: Equatable, Sendable {
  package var id: DeviceID
  package var name: String
  package var model: String?
  package var firmware: String?
  package var mode: SecurityMode
  /// The kinds of network that its Wi-Fi can join.
  package var securities: [NetworkSecurity]

  package init(
    id: DeviceID, name: String, model: String? = nil, firmware: String? = nil, mode: SecurityMode,
    securities: [NetworkSecurity]
  ) {
    self.id = id
    self.name = name
    self.model = model
    self.firmware = firmware
    self.mode = mode
    self.securities = securities
  }

  /// What a provisioner reads of it; without `stretching` there is no setup code to prove.
  func information(
    features: [DeviceFeature], stretching: CodeStretching?
  ) -> DeviceInformation {
    let plain: [ProvisioningProfile] =
      switch mode {
      case .code: []
      case .link: [.plainLink]
      case .open: [.plain]
      }
    return DeviceInformation(
      deviceID: id, name: name, model: model, firmware: firmware,
      profiles: plain + (stretching == nil ? [] : [.secure]), securities: securities,
      features: features, stretching: stretching)
  }

  /// What everybody in reach is told of it.
  func advertisement(_ state: AdvertisedState) -> ProvisioningAdvertisement {
    ProvisioningAdvertisement(
      state: state, flags: mode == .code ? .setupCodeRequired : .plainAccepted, deviceID: id)
  }
}

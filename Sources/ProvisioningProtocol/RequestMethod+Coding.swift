internal import CBOR

extension RequestMethod {
  /// The parameters for the request; nil for none.
  var parameters: CBORValue? {
    switch self {
    case .info, .status, .cancel, .identify: nil
    case .scan(let index), .list(let index):
      index == 0 ? nil : CBORValue(fields: [0: .unsigned(UInt64(index))])
    case .provision(let network): network.value
    case .forget(let ssid): CBORValue(fields: [0: CBORValue(bytes: ssid.bytes)])
    }
  }

  /// Reads a method; what cannot be read, or is not known, is answered with the failure.
  init(name: String, parameters: CBORValue?) throws(RequestFailure) {
    guard let name = Name(rawValue: name) else { throw RequestFailure(.unsupported) }
    do throws(MessageError) {
      let fields = try MessageFields(parameters ?? .map([]))
      switch name {
      case .info: self = .info
      case .scan: self = .scan(from: try fields.number(0) ?? 0)
      case .provision: self = .provision(try NetworkDescription(fields))
      case .status: self = .status
      case .cancel: self = .cancel
      case .identify: self = .identify
      case .list: self = .list(from: try fields.number(0) ?? 0)
      case .forget: self = .forget(try fields.requiredSSID(0))
      }
    } catch {
      throw RequestFailure(error)
    }
  }
}

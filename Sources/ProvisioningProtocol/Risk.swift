/// What a person should know of a network that was set up as they wished.
package enum Risk: String, CaseIterable, Sendable {
  /// Whoever takes the network's name learns the identity, and its password or a proof of it.
  case serverNotValidated = "server-not-validated"

  /// A sentence for a person.
  package var words: String {
    switch self {
    case .serverNotValidated:
      """
      The device does not check who the network is: whoever takes its name can learn the identity \
      and get at the password.
      """
    }
  }
}
